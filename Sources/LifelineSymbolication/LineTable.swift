/// The line rows of one unit, in sequences of ascending addresses.
struct LineTable {
  struct Place {
    /// As the unit numbers its files.
    var file: UInt32
    var line: Int32
    var column: Int32
  }

  private struct Sequence {
    let low: UInt64
    let high: UInt64
    let rows: Range<Int>
  }

  private var addresses: [UInt64] = []
  private var places: [Place] = []
  private var sequences: [Sequence] = []
  private var starts: [UInt64] = []
  /// Where the sequence that is being read began.
  private var first = 0
  private var isAscending = true

  mutating func append(_ address: UInt64, _ place: Place) {
    if addresses.count > first, address < addresses[addresses.count - 1] { isAscending = false }
    addresses.append(address)
    places.append(place)
  }

  mutating func endSequence(_ end: UInt64) {
    let rows = first..<addresses.count
    if !isAscending { sort(rows) }
    // Code that the linker left out ends before it begins, or has no length.
    if let low = addresses[rows].first, low < end { sequences.append(Sequence(low: low, high: end, rows: rows)) }
    first = addresses.count
    isAscending = true
  }

  /// Damaged or hand-written: the standard says that addresses only grow.
  private mutating func sort(_ rows: Range<Int>) {
    let order = rows.sorted { (addresses[$0], $0) < (addresses[$1], $1) }
    let sorted = order.map { (addresses[$0], places[$0]) }
    for (row, old) in zip(rows, sorted) { (addresses[row], places[row]) = old }
  }

  /// Makes the table ready for look-ups; rows after the last end of a sequence are not part of it.
  mutating func finish() {
    sequences.sort { ($0.low, $0.rows.lowerBound) < ($1.low, $1.rows.lowerBound) }
    starts = sequences.map(\.low)
  }

  /// The row in force at an address, the last one at or before it in its sequence, or nil. O(log n).
  func row(at address: UInt64) -> Int? {
    var index = AddressMap.lastIndex(in: starts, 0..<starts.count, notAbove: address)
    // Sequences overlap only where the linker left code out.
    for _ in 0..<16 {
      guard index >= 0 else { return nil }
      if address < sequences[index].high { break }
      index -= 1
    }
    guard index >= 0, address < sequences[index].high else { return nil }
    return AddressMap.lastIndex(in: addresses, sequences[index].rows, notAbove: address)
  }

  func place(_ row: Int) -> Place { places[row] }

  /// The row before another in its sequence, and its address.
  func row(before row: Int) -> (row: Int, address: UInt64)? {
    row > 0 && addresses[row - 1] <= addresses[row] ? (row - 1, addresses[row - 1]) : nil
  }
}
