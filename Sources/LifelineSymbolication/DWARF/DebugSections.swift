/// The sections of one file that hold its DWARF, versions 2 to 5; missing ones are empty.
final class DebugSections {
  let entries: SectionBytes
  let abbreviations: AbbreviationTables
  let strings: SectionBytes
  let lineStrings: SectionBytes
  let stringOffsets: SectionBytes
  let lines: SectionBytes
  /// .debug_ranges, versions 2 to 4.
  let ranges: SectionBytes
  /// .debug_rnglists, version 5.
  let rangeLists: SectionBytes
  let addresses: SectionBytes

  private let file: ELFFile
  /// The contents shared by several debug files, as created by dwz (DWARF 5, 7.3.6: a supplementary object file).
  private(set) lazy var supplement = DebugFileLocator().supplement(of: file).flatMap { DebugSections($0) }

  /// Nil without a readable .debug_info and .debug_abbrev.
  init?(_ file: ELFFile) {
    self.file = file
    let names = ["info", "abbrev", "str", "line_str", "str_offsets", "line", "ranges", "rnglists", "addr"]
    let sections = names.map { name in
      file.sections.first { $0.name == ".debug_\(name)" || $0.name == ".zdebug_\(name)" }.flatMap { file.bytes(of: $0) }
        ?? SectionBytes()
    }
    guard sections[0].count > 0, sections[1].count > 0 else { return nil }
    entries = sections[0]
    abbreviations = AbbreviationTables(sections[1])
    strings = sections[2]
    lineStrings = sections[3]
    stringOffsets = sections[4]
    lines = sections[5]
    ranges = sections[6]
    rangeLists = sections[7]
    addresses = sections[8]
  }
}
