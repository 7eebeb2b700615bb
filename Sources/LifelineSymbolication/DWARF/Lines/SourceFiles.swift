import CElfutils

/// The paths of one unit's source files, as the header of its line number program lists them (DWARF 5, 6.2.4).
struct SourceFiles {
  private struct File {
    let name: UnsafeBufferPointer<UInt8>
    let folder: UInt64
  }

  private var folders: [UnsafeBufferPointer<UInt8>] = []
  private var files: [File] = []
  /// Where the compiler ran.
  private let compilationFolder: String
  private let isNumberedFromZero: Bool

  init(_ header: LineProgramHeader?, _ unit: DebugUnit) {
    compilationFolder = unit.string(unit.root.folder).map { String(decoding: $0, as: UTF8.self) } ?? ""
    isNumberedFromZero = (header?.encoding.version ?? 0) >= 5
    guard let header else { return }
    var reader = unit.sections.lines.reader(header.files)
    if isNumberedFromZero {
      folders = Self.table(&reader, unit, header).map(\.name)
      files = Self.table(&reader, unit, header)
    } else {
      while let name = Self.string(&reader, unit) { folders.append(name) }
      while let name = Self.string(&reader, unit) {
        files.append(File(name: name, folder: reader.unsigned()))
        // Modification time and size.
        _ = (reader.unsigned(), reader.unsigned())
      }
    }
  }

  /// A string in the table itself; nil for the empty one at its end.
  private static func string(_ reader: inout ByteReader, _ unit: DebugUnit) -> UnsafeBufferPointer<UInt8>? {
    let start = reader.position
    reader.skipString()
    guard !reader.isCutOff, reader.position > start + 1 else { return nil }
    return unit.sections.lines.string(at: UInt64(start))
  }

  /// A table of version 5: a description of its columns, then the rows.
  private static func table(_ reader: inout ByteReader, _ unit: DebugUnit, _ header: LineProgramHeader) -> [File] {
    let columns = (0..<reader.byte()).map { _ in
      (content: reader.unsigned(), form: AttributeForm(number: UInt16(truncatingIfNeeded: reader.unsigned())))
    }
    let count = reader.unsigned()
    // Each row takes at least a byte.
    guard !columns.isEmpty, count <= UInt64(reader.end - reader.position) else { return [] }
    var rows: [File] = []
    for _ in 0..<count {
      var name: UnsafeBufferPointer<UInt8>?
      var folder: UInt64 = 0
      for column in columns {
        guard let value = column.form.value(&reader, header.encoding), !reader.isCutOff else { return rows }
        if column.content == UInt64(DW_LNCT_path) {
          name = column.form.isInline ? unit.sections.lines.string(at: value.number) : unit.string(value)
        } else if column.content == UInt64(DW_LNCT_directory_index) {
          folder = value.number
        }
      }
      guard let name else { return rows }
      rows.append(File(name: name, folder: folder))
    }
    return rows
  }

  var count: Int { files.count }

  /// The path of the file with a number used in rows and call sites, or nil.
  func path(_ number: UInt64) -> String? {
    let index = isNumberedFromZero ? number : number &- 1
    guard index < UInt64(files.count) else { return nil }
    let file = files[Int(index)]
    let name = String(decoding: file.name, as: UTF8.self)
    if name.hasPrefix("/") { return name }
    // Number 0 is the compilation's own before version 5, and an entry of the table since.
    let folder = isNumberedFromZero ? file.folder : file.folder &- 1
    let folderName = folder < UInt64(folders.count) ? String(decoding: folders[Int(folder)], as: UTF8.self) : ""
    return Self.join(Self.join(folderName.hasPrefix("/") ? "" : compilationFolder, folderName), name)
  }

  private static func join(_ folder: String, _ name: String) -> String {
    if folder.isEmpty || name.isEmpty { return folder + name }
    return folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
  }
}
