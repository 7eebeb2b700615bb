/// Builds a minimal ELF file for an inspection: header, program headers, sections.
struct ELFBuilder {
  struct Section {
    var name = ""
    var type: UInt32
    var contents: [UInt8] = []
    var link: UInt32 = 0
    /// Replaces the actual offset, for damaged files.
    var offset: UInt64?
    var size: UInt64?
  }

  var machine: UInt16 = 62
  var hasInterpreter = true
  var sections: [Section] = []
  var nameOffset: UInt64?

  /// Adds sections that need the libraries.
  mutating func needs(_ libraries: [String]) {
    var strings: [UInt8] = [0]
    var entries: [UInt8] = []
    for library in libraries {
      entries += Self.bytes(UInt64(1)) + Self.bytes(UInt64(strings.count))
      strings += Array(library.utf8) + [0]
    }
    sections.append(Section(type: 6, contents: entries, link: UInt32(sections.count + 2)))
    sections.append(Section(type: 3, contents: strings))
  }

  /// Adds sections that define the symbols.
  mutating func defines(_ symbols: [String]) {
    sections.append(Section(type: 2, link: UInt32(sections.count + 2)))
    sections.append(Section(type: 3, contents: [0] + symbols.flatMap { Array($0.utf8) + [0] }))
  }

  var bytes: [UInt8] {
    let all = [Section(type: 0)] + sections + [Section(type: 3)]
    var names: [UInt8] = [0]
    var nameOffsets: [UInt32] = []
    for section in all {
      nameOffsets.append(section.name.isEmpty ? 0 : UInt32(names.count))
      if !section.name.isEmpty { names += Array(section.name.utf8) + [0] }
    }
    names += [UInt8](repeating: 0, count: 8)
    var position = UInt64(64 + 56 + 64 * all.count)
    var table: [UInt8] = []
    var contents: [UInt8] = []
    for (index, section) in all.enumerated() {
      let isNames = index == all.count - 1
      let body = isNames ? names : section.contents
      let offset = isNames ? nameOffset ?? position : section.offset ?? position
      table += Self.bytes(nameOffsets[index]) + Self.bytes(section.type) + [UInt8](repeating: 0, count: 16)
      table += Self.bytes(offset) + Self.bytes(section.size ?? UInt64(body.count))
      table += Self.bytes(section.link) + [UInt8](repeating: 0, count: 20)
      contents += body
      position += UInt64(body.count)
    }
    var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
    header += Self.bytes(UInt16(3)) + Self.bytes(machine) + Self.bytes(UInt32(1)) + Self.bytes(UInt64(0))
    header += Self.bytes(UInt64(64)) + Self.bytes(UInt64(120)) + Self.bytes(UInt32(0))
    for value in [64, 56, 1, 64, all.count, all.count - 1] { header += Self.bytes(UInt16(value)) }
    let segment = Self.bytes(UInt32(hasInterpreter ? 3 : 1)) + [UInt8](repeating: 0, count: 52)
    return header + segment + table + contents
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
