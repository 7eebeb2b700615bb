import CElfutils

/// The functions and objects that a file's .symtab (else .dynsym) names, sorted by address.
struct SymbolTable {
  /// One symbol for each address, the widest.
  private var addresses: [UInt64] = []
  private var sizes: [UInt64] = []
  /// Positions in the string table, and what was made of them: -1 where nobody asked yet.
  private var names: [UInt32] = []
  private var texts: [Int32] = []
  private var strings = SectionBytes()

  init() {}

  /// Reads the tables of an open file, which must outlive this value.
  init(_ file: ELFFile) {
    for type in [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)] where addresses.isEmpty {
      for section in file.sections where section.type == type && addresses.isEmpty { read(section, file) }
    }
  }

  private mutating func read(_ section: ELFFile.Section, _ file: ELFFile) {
    guard section.entrySize == UInt64(MemoryLayout<Elf64_Sym>.size), let link = file.section(numbered: section.link),
      let strings = file.bytes(of: link), let bytes = file.bytes(of: section)
    else { return }
    var reader = bytes.reader(0..<bytes.count)
    var entries: [(address: UInt64, size: UInt64, name: UInt32, order: UInt32)] = []
    entries.reserveCapacity(bytes.count / MemoryLayout<Elf64_Sym>.size)
    while reader.end - reader.position >= MemoryLayout<Elf64_Sym>.size {
      let name = reader.fixed(UInt32.self)
      let kind = Int32(reader.byte() & 0xF)
      reader.skip(1)
      let index = reader.fixed(UInt16.self)
      let address = reader.fixed(UInt64.self)
      let size = reader.fixed(UInt64.self)
      guard index != UInt16(SHN_UNDEF), address != 0, name != 0, UInt64(name) < UInt64(strings.count),
        kind == STT_FUNC || kind == STT_OBJECT || kind == STT_NOTYPE
      else { continue }
      entries.append((address, size, name, UInt32(truncatingIfNeeded: entries.count)))
    }
    // Of several names for one function the last in the table is taken, as llvm-symbolizer does: the first are
    // often a library's private aliases.
    entries.sort { $0.address != $1.address ? $0.address < $1.address : ($0.size, $0.order) > ($1.size, $1.order) }
    self.strings = strings
    for entry in entries where entry.address != addresses.last {
      addresses.append(entry.address)
      sizes.append(entry.size)
      names.append(entry.name)
    }
    texts = Array(repeating: -1, count: names.count)
  }

  /// The number of the symbol that covers an address; one without a size covers up to the next. O(log n).
  func find(_ address: UInt64) -> Int? {
    let last = AddressMap.lastIndex(in: addresses, 0..<addresses.count, notAbove: address)
    // A wide symbol may hold small ones.
    for index in stride(from: last, to: max(-1, last - 16), by: -1)
    where address - addresses[index] < sizes[index] || (sizes[index] == 0 && index == last) {
      return index
    }
    return nil
  }

  var count: Int { addresses.count }

  func address(_ index: Int) -> UInt64 { addresses[index] }

  /// The name, or `none` in a damaged file.
  mutating func name(_ index: Int, _ table: TextTable) -> Int32 {
    if texts[index] < 0 { texts[index] = strings.string(at: UInt64(names[index])).map { table.add($0) } ?? TextTable.none }
    return texts[index]
  }
}
