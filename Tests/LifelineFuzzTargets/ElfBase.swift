import Foundation

/// A valid ELF file that inputs change, and where its parts are.
public struct ElfBase: Sendable {
  let bytes: [UInt8]
  private let sections: [(name: String, range: Range<Int>)]
  private let sectionTable: Range<Int>

  /// Nil if the file cannot be read or has no section table. The file comes from a compiler.
  public init?(path: String) {
    guard let data = FileManager.default.contents(atPath: path), data.count > 64 else { return nil }
    let bytes = Array(data)
    self.bytes = bytes
    func number(_ offset: Int, _ size: Int) -> Int {
      guard offset >= 0, offset + size <= bytes.count else { return 0 }
      return (0..<size).reduce(0) { $0 | Int(bytes[offset + $1]) << ($1 * 8) }
    }
    // elf(5): e_shoff, e_shnum and e_shstrndx of the header; sh_name, sh_offset and sh_size of each section.
    let table = number(0x28, 8), count = number(0x3C, 2), names = number(table + number(0x3E, 2) * 64 + 0x18, 8)
    guard table > 0, table + count * 64 <= bytes.count else { return nil }
    sectionTable = table..<table + count * 64
    sections = (0..<count).compactMap { index in
      let header = table + index * 64
      let start = number(header + 0x18, 8), size = number(header + 0x20, 8)
      let name = bytes[min(names + number(header, 4), bytes.count)...].prefix { $0 != 0 }
      guard start > 0, start + size <= bytes.count else { return nil }
      return (String(decoding: name, as: UTF8.self), start..<start + size)
    }
  }

  /// The header, the section table, symbols and notes.
  var frame: [Range<Int>] {
    [0..<64, sectionTable]
      + ranges { [".symtab", ".strtab", ".dynsym", ".note.gnu.build-id", ".shstrtab"].contains($0) }
  }

  var debugInformation: [Range<Int>] { ranges { $0.hasPrefix(".debug_") } }

  /// Swift's own descriptions of types, and what they refer to.
  var reflection: [Range<Int>] { ranges { $0.hasPrefix("swift5_") || $0 == ".data.rel.ro" } }

  /// The addresses of the code, in a file whose sections have offsets equal to their addresses.
  var code: Range<Int> { sections.first { $0.name == ".text" }?.range ?? 0..<0 }

  private func ranges(_ isWanted: (String) -> Bool) -> [Range<Int>] {
    sections.filter { isWanted($0.name) && !$0.range.isEmpty }.map(\.range)
  }
}
