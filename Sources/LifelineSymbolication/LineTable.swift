/// The line rows of one unit: sequences sorted by address, rows sorted within each.
struct LineTable {
  struct Row {
    /// From the beginning of the sequence.
    let offset: UInt32
    let line: UInt32
    let file: UInt32
    let column: UInt16
  }

  struct Sequence {
    let low: UInt64
    let high: UInt64
    let rows: Range<Int>
  }

  private let header: LineHeader?
  private var rows: [Row] = []
  private var sequences: [Sequence] = []

  /// Reads the table that a unit refers to; empty when there is none or its header is damaged.
  init(_ unit: UnitReader) {
    header = unit.lineTable.flatMap { LineHeader(unit, at: $0) }
    guard let header, unit.sections.spend(header.program.end - header.program.position) else { return }
    var reader = LineProgramReader(header)
    reader.read()
    rows = reader.rows
    sequences = reader.sequences.sorted { $0.low < $1.low }
  }

  /// The path of a file by its number in this table, or nil.
  func file(_ number: UInt32) -> String? { header?.path(ofFile: number) }

  /// The row in force at an address: the last one at or before it. O(log n).
  ///
  /// Releases and deinits often carry line 0, "no line". What a person would point at then is the last line before
  /// it of the same function, without what was inlined into it: `belongs` says so of an address.
  func find(_ address: UInt64, belongs: (UInt64) -> Bool) -> Row? {
    guard let sequence = sequence(at: address) else { return nil }
    let offset = address - sequence.low
    var low = sequence.rows.lowerBound
    var high = sequence.rows.upperBound
    while low < high {
      let middle = (low + high) / 2
      if rows[middle].offset <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > sequence.rows.lowerBound else { return nil }
    let found = low - 1
    if rows[found].line != 0 { return rows[found] }
    for index in (max(sequence.rows.lowerBound, found - 1024)..<found).reversed()
    where rows[index].line != 0 && belongs(sequence.low &+ UInt64(rows[index].offset)) {
      return rows[index]
    }
    return rows[found]
  }

  private func sequence(at address: UInt64) -> Sequence? {
    var low = 0
    var high = sequences.count
    while low < high {
      let middle = (low + high) / 2
      if sequences[middle].low <= address { low = middle + 1 } else { high = middle }
    }
    guard low > 0, address < sequences[low - 1].high else { return nil }
    return sequences[low - 1]
  }
}
