/// The parts of one function that are looked up once for all addresses in it.
struct FunctionReach {
  /// Addresses from `low` up to `high` are in the function, and in one contiguous range of it.
  var low: UInt64 = 0
  var high: UInt64 = 0
  /// Numbers in the file and in the unit; `FunctionTable.none` between functions.
  var unit = 0
  var function = FunctionTable.none
  /// The functions inlined into it, a group of the unit's map.
  var inlined = 0..<0
  /// Its rows of the line table; nil if they are not in one sequence.
  var rows: Range<Int>?

  @inline(__always)
  func contains(_ address: UInt64) -> Bool { low <= address && address < high }
}
