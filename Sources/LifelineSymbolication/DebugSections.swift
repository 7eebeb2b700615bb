/// The DWARF sections of a file that functions are read from; they live as long as the file.
final class DebugSections {
  let info: UnsafeRawBufferPointer
  let abbreviations: UnsafeRawBufferPointer
  let addresses: UnsafeRawBufferPointer
  let ranges: UnsafeRawBufferPointer
  let rangeLists: UnsafeRawBufferPointer
  let strings: UnsafeRawBufferPointer
  let stringOffsets: UnsafeRawBufferPointer
  let lines: UnsafeRawBufferPointer
  let lineStrings: UnsafeRawBufferPointer

  /// Tables may be shared, and a hostile file shares a large one among all its units: this is what may still be read
  /// again before the rest counts as empty.
  private var work: Int

  init(_ file: ELFFile) {
    let sections = file.debugSections([
      "info", "abbrev", "addr", "ranges", "rnglists", "str", "str_offsets", "line", "line_str",
    ])
    func section(_ name: String) -> UnsafeRawBufferPointer { sections[name] ?? UnsafeRawBufferPointer(start: nil, count: 0) }
    info = section("info")
    abbreviations = section("abbrev")
    addresses = section("addr")
    ranges = section("ranges")
    rangeLists = section("rnglists")
    strings = section("str")
    stringOffsets = section("str_offsets")
    lines = section("line")
    lineStrings = section("line_str")
    work = sections.values.reduce(1 << 20) { $0 + $1.count * 16 }
  }

  /// Accounts for bytes read from a table that others may refer to; false when there has been enough of it.
  func spend(_ bytes: Int) -> Bool {
    work -= min(bytes, 1 << 40)
    return work >= 0
  }
}
