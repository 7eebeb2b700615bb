import CElfutils

/// The header of a line number program (DWARF 5, 6.2.4; versions 2 to 5), without its folders and files.
struct LineProgramHeader {
  let encoding: UnitHeader.Encoding
  let minimumLength: UInt64
  let lineBase: Int64
  let lineRange: UInt64
  /// The first special opcode; below it are the standard ones.
  let operationBase: UInt8
  private let operandCounts: [UInt8]
  /// Where the tables of folders and files are, in .debug_line, and the program.
  let files: Range<Int>
  let program: Range<Int>

  /// Nil unless a program of a known version begins there.
  init?(at offset: UInt64, _ sections: DebugSections, addressSize: UInt8) {
    let section = sections.lines
    guard offset < UInt64(section.count) else { return nil }
    var start = section.reader(Int(offset)..<min(section.count, Int(offset) + 16))
    guard let (end, offsetSize) = UnitHeader.length(&start, sectionSize: section.count) else { return nil }
    var reader = section.reader(start.position..<end)
    let version = reader.fixed(UInt16.self)
    guard (2...5).contains(version) else { return nil }
    // Version 5 has the sizes of an address and of a segment selector.
    if version >= 5 { reader.skip(2) }
    let length = reader.number(size: Int(offsetSize))
    guard length <= UInt64(reader.end - reader.position) else { return nil }
    let program = reader.position + Int(length)
    minimumLength = UInt64(reader.byte())
    // Operations per instruction, for VLIW machines; and the default of is_stmt, which is not used.
    if version >= 4 { reader.skip(1) }
    reader.skip(1)
    lineBase = Int64(Int8(bitPattern: reader.byte()))
    lineRange = UInt64(reader.byte())
    operationBase = reader.byte()
    operandCounts = (1..<max(1, Int(operationBase))).map { _ in reader.byte() }
    guard !reader.isCutOff, reader.position <= program else { return nil }
    encoding = UnitHeader.Encoding(version: version, addressSize: addressSize, offsetSize: offsetSize)
    files = reader.position..<program
    self.program = program..<end
  }

  func operandCount(of operation: UInt8) -> UInt8 {
    let index = Int(operation) - 1
    return operandCounts.indices.contains(index) ? operandCounts[index] : 0
  }
}
