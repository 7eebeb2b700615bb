import CElfutils

/// Runs the line number program of one unit (DWARF 5, 6.2; versions 2 to 5).
///
/// `op_index` of VLIW machines is not kept: on x86-64 an instruction is one operation.
struct LineProgramReader {
  private let header: LineProgramHeader
  private var reader: ByteReader
  private var table = LineTable()

  private var address: UInt64 = 0
  private var place = LineTable.Place(file: 1, line: 1, column: 0)

  private init(_ header: LineProgramHeader, _ sections: DebugSections) {
    self.header = header
    reader = sections.lines.reader(header.program)
    // About what a row takes.
    table.reserve(header.program.count / 3)
  }

  /// The rows; a truncated or damaged program yields those before the damage.
  static func read(_ header: LineProgramHeader, _ sections: DebugSections) -> LineTable {
    var reader = LineProgramReader(header, sections)
    reader.run()
    return reader.table
  }

  private mutating func run() {
    let base = header.operationBase
    guard header.lineRange > 0, base > 0 else { return }
    while !reader.isAtEnd {
      let operation = reader.byte()
      if operation >= base {
        let adjusted = UInt64(operation - base)
        address &+= adjusted / header.lineRange &* header.minimumLength
        place.line &+= Int32(truncatingIfNeeded: header.lineBase &+ Int64(adjusted % header.lineRange))
        table.append(address, place)
      } else if operation == 0 {
        extended()
      } else {
        standard(operation)
      }
    }
    table.finish()
  }

  private mutating func standard(_ operation: UInt8) {
    switch Int(operation) {
    case Int(DW_LNS_copy): table.append(address, place)
    case Int(DW_LNS_advance_pc): address &+= reader.unsigned() &* header.minimumLength
    case Int(DW_LNS_advance_line): place.line &+= Int32(truncatingIfNeeded: reader.signed())
    case Int(DW_LNS_set_file): place.file = UInt32(truncatingIfNeeded: reader.unsigned())
    case Int(DW_LNS_set_column): place.column = Int32(truncatingIfNeeded: reader.unsigned())
    case Int(DW_LNS_const_add_pc):
      address &+= UInt64(255 - header.operationBase) / header.lineRange &* header.minimumLength
    case Int(DW_LNS_fixed_advance_pc): address &+= UInt64(reader.fixed(UInt16.self))
    default:
      // An opcode that changes no row, or an unknown one, which has LEB128 operands.
      for _ in 0..<header.operandCount(of: operation) { _ = reader.unsigned() }
    }
  }

  private mutating func extended() {
    let length = reader.unsigned()
    let next = UInt64(reader.position) &+ length
    guard length > 0, length <= UInt64(reader.end - reader.position) else { return reader.skip(length) }
    switch Int(reader.byte()) {
    case Int(DW_LNE_end_sequence):
      table.endSequence(address)
      address = 0
      place = LineTable.Place(file: 1, line: 1, column: 0)
    case Int(DW_LNE_set_address): address = length <= 9 ? reader.number(size: Int(length) - 1) : 0
    default: break
    }
    reader.move(to: next)
  }
}
