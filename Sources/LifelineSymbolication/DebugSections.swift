/// The sections of one file that hold its DWARF, versions 2 to 5; those that it lacks are empty.
final class DebugSections {
  private(set) var entries = SectionBytes()
  private(set) var abbreviations = SectionBytes()
  private(set) var strings = SectionBytes()
  private(set) var lineStrings = SectionBytes()
  private(set) var stringOffsets = SectionBytes()
  private(set) var lines = SectionBytes()
  /// .debug_ranges, versions 2 to 4.
  private(set) var ranges = SectionBytes()
  /// .debug_rnglists, version 5.
  private(set) var rangeLists = SectionBytes()
  private(set) var addresses = SectionBytes()

  private(set) lazy var abbreviationTables = AbbreviationTables(abbreviations)

  private let file: ELFFile
  /// What several debug files share, as dwz makes it (DWARF 5, 7.3.6: a supplementary object file).
  private(set) lazy var supplement = DebugFileLocator().supplement(of: file).flatMap { DebugSections($0) }

  /// Nil without a readable .debug_info and .debug_abbrev.
  init?(_ file: ELFFile) {
    self.file = file
    for section in file.sections {
      guard let name = Self.suffix(of: section.name), let target = Self.target(name), let bytes = file.bytes(of: section) else { continue }
      self[keyPath: target] = bytes
    }
    guard entries.count > 0, abbreviations.count > 0 else { return nil }
  }

  private static func suffix(of name: String) -> Substring? {
    for prefix in [".debug_", ".zdebug_"] where name.hasPrefix(prefix) { return name.dropFirst(prefix.count) }
    return nil
  }

  private static func target(_ name: Substring) -> ReferenceWritableKeyPath<DebugSections, SectionBytes>? {
    switch name {
    case "info": \.entries
    case "abbrev": \.abbreviations
    case "str": \.strings
    case "line_str": \.lineStrings
    case "str_offsets": \.stringOffsets
    case "line": \.lines
    case "ranges": \.ranges
    case "rnglists": \.rangeLists
    case "addr": \.addresses
    default: nil
    }
  }
}
