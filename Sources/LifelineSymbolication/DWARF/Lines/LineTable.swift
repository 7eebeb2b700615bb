/// The line rows of one unit, in sequences of ascending addresses.
struct LineTable {
  struct Place {
    /// In the unit's numbering of files.
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
  /// The start of the current sequence.
  private var first = 0
  private var isAscending = true

  mutating func reserve(_ rows: Int) {
    addresses.reserveCapacity(rows)
    places.reserveCapacity(rows)
  }

  mutating func append(_ address: UInt64, _ place: Place) {
    if addresses.count > first, address < addresses[addresses.count - 1] { isAscending = false }
    addresses.append(address)
    places.append(place)
  }

  mutating func endSequence(_ end: UInt64) {
    let rows = first..<addresses.count
    if !isAscending { sort(rows) }
    // Code removed by the linker ends before it begins, or has no length.
    if let low = addresses[rows].first, low < end { sequences.append(Sequence(low: low, high: end, rows: rows)) }
    first = addresses.count
    isAscending = true
  }

  /// Damaged or handwritten: the standard says that addresses only grow.
  private mutating func sort(_ rows: Range<Int>) {
    let order = rows.sorted { (addresses[$0], $0) < (addresses[$1], $1) }
    let sorted = order.map { (addresses[$0], places[$0]) }
    for (row, old) in zip(rows, sorted) { (addresses[row], places[row]) = old }
  }

  /// Prepares the table for look-ups, and drops rows after the last end of a sequence.
  mutating func finish() {
    sequences.sort { ($0.low, $0.rows.lowerBound) < ($1.low, $1.rows.lowerBound) }
    starts = sequences.map(\.low)
  }

  /// The row for an address, the last one at or before it in its sequence, or nil. O(log n).
  func row(at address: UInt64) -> Int? {
    sequence(at: address).map { AddressMap.lastIndex(in: addresses, sequences[$0].rows, notAbove: address) }
  }

  /// The same within a part of a sequence that begins at the address or before it.
  func row(at address: UInt64, in rows: Range<Int>) -> Int {
    AddressMap.lastIndex(in: addresses, rows, notAbove: address)
  }

  /// The rows for a range of addresses, or nil if they are not in one sequence.
  func rows(from low: UInt64, to high: UInt64) -> Range<Int>? {
    guard low < high, let sequence = sequence(at: low), high <= sequences[sequence].high else { return nil }
    let rows = sequences[sequence].rows
    return row(at: low, in: rows)..<row(at: high - 1, in: rows) + 1
  }

  private func sequence(at address: UInt64) -> Int? {
    let last = AddressMap.lastIndex(in: starts, 0..<starts.count, notAbove: address)
    // Sequences overlap only where the linker removed code.
    return stride(from: last, to: max(-1, last - 16), by: -1).first { address < sequences[$0].high }
  }

  /// Rows of all sequences.
  var count: Int { addresses.count }

  func place(_ row: Int) -> Place { places[row] }

  func address(_ row: Int) -> UInt64 { addresses[row] }
}
