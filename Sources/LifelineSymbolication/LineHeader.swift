import CElfutils

/// The header of a line table, with its files: DWARF 5, section 6.2.4, and its older forms since version 2.
struct LineHeader {
  private struct File {
    var name: UnsafePointer<CChar>?
    var folder: UInt64 = 0
  }

  let minimumInstructionLength: UInt64
  let lineBase: Int8
  let lineRange: UInt8
  /// Operands of the standard opcodes, the first of which is 1.
  let operandCounts: [UInt8]
  /// Stands at the first opcode and ends with the table.
  let program: SectionReader
  let addressSize: Int
  private let version: Int
  private let unitFolder: UnsafePointer<CChar>?
  private var folders: [UnsafePointer<CChar>?] = []
  private var files: [File] = []

  init?(_ unit: UnitReader, at offset: UInt64) {
    var reader = SectionReader(unit.sections.lines, from: offset)
    var length = reader.number(size: 4)
    let isLong = length == 0xFFFF_FFFF
    if isLong { length = reader.number(size: 8) }
    reader.limit(to: length)
    version = Int(reader.number(size: 2))
    guard (2...5).contains(version) else { return nil }
    if version >= 5 {
      addressSize = Int(reader.byte())
      _ = reader.byte()
    } else {
      addressSize = unit.format.addressSize
    }
    let size = reader.number(size: isLong ? 8 : 4)
    var program = reader
    program.skip(size)
    self.program = program
    reader.limit(to: size)
    minimumInstructionLength = UInt64(reader.byte())
    if version >= 4 { _ = reader.byte() }
    _ = reader.byte()
    lineBase = Int8(bitPattern: reader.byte())
    lineRange = reader.byte()
    let firstSpecial = reader.byte()
    operandCounts = (0..<max(1, firstSpecial) - 1).map { _ in reader.byte() }
    guard !reader.isCutOff, !program.isCutOff, lineRange > 0, firstSpecial > 0 else { return nil }
    unitFolder = unit.folder
    let format = UnitFormat(version: version, addressSize: addressSize, offsetSize: isLong ? 8 : 4)
    if version >= 5 {
      folders = Self.readEntries(unit, format, &reader).map(\.name)
      files = Self.readEntries(unit, format, &reader)
    } else {
      readOldEntries(&reader)
    }
  }

  private mutating func readOldEntries(_ reader: inout SectionReader) {
    // Folder 0 is the unit's; there is no file 0.
    folders = [unitFolder]
    while let text = reader.text(), text.pointee != 0 { folders.append(text) }
    files = [File()]
    while let text = reader.text(), text.pointee != 0 {
      files.append(File(name: text, folder: reader.unsigned()))
      _ = reader.unsigned()
      _ = reader.unsigned()
    }
  }

  private static func readEntries(_ unit: UnitReader, _ format: UnitFormat, _ reader: inout SectionReader) -> [File] {
    let fields = (0..<reader.byte()).map { _ in
      let kind = reader.unsigned()
      return (kind: kind, form: UInt32(truncatingIfNeeded: reader.unsigned()))
    }
    let count = reader.unsigned()
    var entries: [File] = []
    while UInt64(entries.count) < count, !reader.isAtEnd {
      let before = reader.position
      var entry = File()
      for field in fields {
        if field.form == UInt32(DW_FORM_string) {
          let text = reader.text()
          if field.kind == UInt64(DW_LNCT_path) { entry.name = text }
          continue
        }
        guard let value = unit.value(form: field.form, constant: 0, format, &reader) else { return entries }
        switch (field.kind, value) {
        case (UInt64(DW_LNCT_path), _): entry.name = unit.text(value)
        case (UInt64(DW_LNCT_directory_index), .constant(let index)): entry.folder = index
        default: break
        }
      }
      // An entry of no bytes would allow any count.
      if reader.position == before { return entries }
      entries.append(entry)
    }
    return entries
  }

  /// Relative names lie in their folder, relative folders in the unit's.
  func path(ofFile number: UInt32) -> String? {
    guard number < UInt32(clamping: files.count), let text = files[Int(number)].name else { return nil }
    let name = String(cString: text)
    if name.hasPrefix("/") { return name }
    let index = files[Int(number)].folder
    let folder = index < UInt64(folders.count) ? folders[Int(index)].map { String(cString: $0) } ?? "" : ""
    let inside = Self.join(folder, name)
    return inside.hasPrefix("/") ? inside : Self.join(unitFolder.map { String(cString: $0) } ?? "", inside)
  }

  private static func join(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
