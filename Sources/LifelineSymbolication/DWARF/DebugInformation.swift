import CElfutils

/// The DWARF of one file, with our own index of compilation units.
///
/// swiftc writes no .debug_aranges, so the ranges of every unit are read from its first entry, once; the rest of a unit
/// is read when an address is in it.
struct DebugInformation {
  private let units: UnitTable
  private var contents: [CompilationUnit?]
  /// The unit of each address. Its number counts from the last one, so that of several around an address the first
  /// wins.
  private let map: AddressMap

  init?(_ file: ELFFile) {
    guard let sections = DebugSections(file) else { return nil }
    units = UnitTable(sections)
    contents = Array(repeating: nil, count: units.headers.count)
    var ranges: [AddressMap.Range] = []
    var budget = units.headers.count + max(sections.ranges.count, sections.rangeLists.count)
    for (index, header) in units.headers.enumerated() {
      guard header.type == UInt8(DW_UT_compile) || header.type == UInt8(DW_UT_skeleton),
        let unit = DebugUnit(sections, header),
        unit.role == .unit
      else { continue }
      unit.addRanges(of: unit.root.code, rank: Int32(units.headers.count - 1 - index), budget: &budget, to: &ranges)
    }
    map = AddressMap(ranges)
  }

  /// The function around an address, or nil if there is no unit. O(log n) once the unit has been read.
  mutating func reach(at address: UInt64) -> FunctionReach? {
    let (rank, low, high) = map.stretch(at: address)
    guard rank != AddressMap.none else { return nil }
    let index = units.headers.count - 1 - Int(rank)
    if contents[index] == nil { contents[index] = CompilationUnit(units, index) }
    guard var reach = contents[index]?.reach(at: address) else { return nil }
    reach.low = max(reach.low, low)
    reach.high = min(reach.high, high)
    reach.unit = index
    return reach
  }

  /// Where the function with this name around an address is declared.
  mutating func declaration(of name: String, at address: UInt64, _ texts: StringTable) -> CodeLocation? {
    reach(at: address).flatMap { contents[$0.unit]?.declaration(of: name, at: address, in: $0, texts) }
  }

  /// The parameters of the function with this name around an address.
  mutating func parameters(of name: String, at address: UInt64, _ texts: StringTable) -> [FunctionParameter]? {
    reach(at: address).flatMap { contents[$0.unit]?.parameters(of: name, at: address, in: $0, texts) }
  }

  /// Whether a line of some code that begins a function has a column; nil if none has a line.
  mutating func hasColumns(in code: Range<UInt64>) -> Bool? {
    guard !code.isEmpty, let reach = reach(at: code.lowerBound) else { return nil }
    return contents[reach.unit]?.hasColumns(in: code)
  }

  /// Whether the unit of an address was optimized; nil if there is no unit.
  mutating func isOptimized(at address: UInt64) -> Bool? {
    reach(at: address).flatMap { contents[$0.unit]?.isOptimized }
  }

  /// Whether the compiler gave an address of a reach a line.
  mutating func hasLine(at address: UInt64, in reach: FunctionReach) -> Bool {
    contents[reach.unit]?.hasLine(at: address, in: reach) ?? true
  }

  /// Where instructions begin in the function around an address, as far as the lines in a part of it tell.
  mutating func boundaries(in code: Range<UInt64>, around address: UInt64) -> Set<UInt64> {
    guard let reach = reach(at: address) else { return [] }
    return contents[reach.unit]?.rowAddresses(in: code, of: reach) ?? []
  }

  /// Whether an address without a line is behind a function inlined there, and before a line of its own function.
  mutating func beginsNextLine(_ address: UInt64, in reach: FunctionReach) -> Bool {
    contents[reach.unit]?.beginsNextLine(address, in: reach) ?? false
  }

  /// Replaces the line at an address of a reach by the next line in the same function, if there is one.
  mutating func moveToNextLine(
    _ address: UInt64, in reach: FunctionReach, _ texts: StringTable, _ location: inout CodeLocation
  ) {
    contents[reach.unit]?.moveToNextLine(address, in: reach, texts, &location)
  }

  /// Replaces the line at an address of a reach by that of a call inlined right before it, if there is one.
  mutating func moveToInlinedCall(
    _ address: UInt64, in reach: FunctionReach, _ texts: StringTable, _ location: inout CodeLocation
  ) {
    contents[reach.unit]?.moveToInlinedCall(address, in: reach, texts, &location)
  }

  /// Adds the functions around an address of a reach to an empty array, innermost first.
  ///
  /// `symbol` is the outermost one's name, if known. O(log n) in the size of the function.
  mutating func locate(
    _ address: UInt64, in reach: FunctionReach, symbol: Int32, _ texts: StringTable,
    into locations: inout [CodeLocation]
  ) {
    contents[reach.unit]?.locate(address, in: reach, symbol: symbol, texts, into: &locations)
  }
}
