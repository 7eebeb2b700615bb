import CElfutils

/// Runs the opcodes of a line table: DWARF 5, section 6.2.5.
struct LineProgramReader {
  private(set) var rows: [LineTable.Row] = []
  private(set) var sequences: [LineTable.Sequence] = []
  private let header: LineHeader
  private var reader: SectionReader
  private var address: UInt64 = 0
  private var file: UInt64 = 1
  private var line: UInt64 = 1
  private var column: UInt64 = 0
  /// Where the rows of the sequence begin, in memory and in the program.
  private var first = 0
  private var low: UInt64 = 0

  init(_ header: LineHeader) {
    self.header = header
    reader = header.program
  }

  mutating func read() {
    let firstSpecial = UInt8(header.operandCounts.count + 1)
    let range = header.lineRange
    let step = UInt64((255 - firstSpecial) / range) &* header.minimumInstructionLength
    while !reader.isAtEnd {
      let opcode = reader.byte()
      if opcode >= firstSpecial {
        let adjusted = opcode - firstSpecial
        address &+= UInt64(adjusted / range) &* header.minimumInstructionLength
        line &+= UInt64(bitPattern: Int64(header.lineBase) &+ Int64(adjusted % range))
        append()
        continue
      }
      switch Int(opcode) {
      case 0: readExtended()
      case DW_LNS_copy: append()
      case DW_LNS_advance_pc: address &+= reader.unsigned() &* header.minimumInstructionLength
      case DW_LNS_advance_line: line &+= UInt64(bitPattern: reader.signed())
      case DW_LNS_set_file: file = reader.unsigned()
      case DW_LNS_set_column: column = reader.unsigned()
      case DW_LNS_const_add_pc: address &+= step
      case DW_LNS_fixed_advance_pc: address &+= reader.number(size: 2)
      default: for _ in 0..<header.operandCounts[Int(opcode) - 1] { _ = reader.unsigned() }
      }
    }
  }

  private mutating func readExtended() {
    let length = reader.unsigned()
    guard length > 0 else { return }
    var operand = reader
    operand.limit(to: length)
    switch Int(operand.byte()) {
    case DW_LNE_end_sequence: endSequence()
    case DW_LNE_set_address: address = operand.number(size: Int(clamping: length &- 1))
    default: break
    }
    reader.skip(length)
  }

  private mutating func append() {
    if rows.count == first { low = address }
    rows.append(
      LineTable.Row(
        offset: UInt32(clamping: address &- low), line: UInt32(truncatingIfNeeded: line), file: UInt32(clamping: file),
        column: UInt16(clamping: column)))
  }

  /// Linkers leave the lines of functions that they dropped at address 0.
  private mutating func endSequence() {
    if rows.count > first, low != 0, low < address {
      sequences.append(LineTable.Sequence(low: low, high: address, rows: first..<rows.count))
    } else {
      rows.removeSubrange(first...)
    }
    first = rows.count
    address = 0
    file = 1
    line = 1
    column = 0
  }
}
