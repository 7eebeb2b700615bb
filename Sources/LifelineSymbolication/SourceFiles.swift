import CElfutils

/// The paths of one unit's source files.
final class SourceFiles {
  private let table: OpaquePointer?
  private let count: Int
  /// Where the compiler ran.
  private let folder: String
  /// The number of the first file: 0 since DWARF 5, 1 before.
  private let first: UInt64
  private var numbered: [UInt64: String?] = [:]

  init(unit: inout Dwarf_Die) {
    var files: OpaquePointer?
    var count = 0
    table = dwarf_getsrcfiles(&unit, &files, &count) == 0 ? files : nil
    self.count = count
    var attribute = Dwarf_Attribute()
    let text = dwarf_attr(&unit, UInt32(DW_AT_comp_dir), &attribute) == nil ? nil : dwarf_formstring(&attribute)
    folder = text.map { String(cString: $0) } ?? ""
    var version: Dwarf_Half = 0
    first = dwarf_cu_info(unit.cu, &version, nil, nil, nil, nil, nil, nil) == 0 && version >= 5 ? 0 : 1
  }

  /// The path of the file with a number as attributes have it, or nil.
  func path(_ number: UInt64) -> String? {
    if let known = numbered[number] { return known }
    var path: String?
    if let table, number >= first, number < UInt64(count), let source = dwarf_filesrc(table, Int(number), nil, nil) {
      path = self.path(source)
    }
    numbered[number] = .some(path)
    return path
  }

  /// The path of a file as libdw has it, which joins folder and name but may leave them relative.
  func path(_ source: UnsafePointer<CChar>) -> String {
    let path = String(cString: source)
    if path.hasPrefix("//") { return String(path.dropFirst()) }
    // A relative folder has been joined already.
    if path.hasPrefix("/") || !folder.hasPrefix("/") { return path }
    return folder.hasSuffix("/") ? folder + path : "\(folder)/\(path)"
  }
}
