import CElfutils
import Glibc

/// The functions and objects that the .symtab (else .dynsym) of an image and of its debug file name, sorted by address.
struct SymbolTable {
  private struct Entry {
    let address: UInt64
    let size: UInt64
    /// Position in the string table of a file.
    let name: UInt32
    let file: UInt32
  }

  /// One symbol for each address, the widest. The entry point of an executable of SwiftPM has two, "App_main" and an
  /// alias by which the C runtime starts it: that says more.
  private var addresses: [UInt64] = []
  private var sizes: [UInt64] = []
  private var names: [(position: UInt32, file: UInt32)] = []
  /// The demangled names: -1 if not looked up yet.
  private var texts: [Int32] = []
  private var strings: [SectionBytes] = []
  /// Whether a file has a table that could not be read, or not to its end.
  private(set) var isIncomplete = false

  init() {}

  /// Reads the tables of open files, which must outlive this value; of names for the same, those of the last file are
  /// taken.
  init(_ files: [ELFFile]) {
    var entries: [Entry] = []
    for file in files {
      let count = entries.count
      for type in [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)] where entries.count == count {
        for section in file.sections where section.type == type && entries.count == count {
          read(section, file, &entries)
        }
      }
    }
    addresses.reserveCapacity(entries.count)
    sizes.reserveCapacity(entries.count)
    names.reserveCapacity(entries.count)
    for index in AddressOrder.indices(of: entries.map(\.address)) {
      let entry = entries[Int(index)]
      if entry.address != addresses.last {
        addresses.append(entry.address)
        sizes.append(entry.size)
        names.append((entry.name, entry.file))
      } else if isMain(names[names.count - 1]) {
        sizes[sizes.count - 1] = max(sizes[sizes.count - 1], entry.size)
      } else if entry.size >= sizes[sizes.count - 1] || isMain((entry.name, entry.file)) {
        // Of several names for one function the last in the table is taken, as llvm-symbolizer does: the first are
        // often a library's private aliases.
        sizes[sizes.count - 1] = max(sizes[sizes.count - 1], entry.size)
        names[names.count - 1] = (entry.name, entry.file)
      }
    }
    texts = Array(repeating: -1, count: names.count)
  }

  private func isMain(_ name: (position: UInt32, file: UInt32)) -> Bool {
    strings[Int(name.file)].string(at: UInt64(name.position))?.elementsEqual("main".utf8) == true
  }

  private mutating func read(_ section: ELFFile.Section, _ file: ELFFile, _ entries: inout [Entry]) {
    let size = MemoryLayout<Elf64_Sym>.size
    guard section.entrySize == UInt64(size), let link = file.section(numbered: section.link),
      let strings = file.bytes(of: link),
      let bytes = file.bytes(of: section)
    else {
      isIncomplete = true
      return
    }
    var reader = bytes.reader(0..<bytes.count)
    if reader.end < bytes.count { isIncomplete = true }
    let code = Set(file.sections.lazy.filter(\.isExecutable).map(\.number))
    entries.reserveCapacity(entries.count + bytes.count / size)
    while reader.end - reader.position >= size {
      let name = reader.fixed(UInt32.self)
      let kind = Int32(reader.byte() & 0xF)
      reader.skip(1)
      let index = reader.fixed(UInt16.self)
      let address = reader.fixed(UInt64.self)
      let width = reader.fixed(UInt64.self)
      guard index != UInt16(SHN_UNDEF), address != 0, name != 0, UInt64(name) < UInt64(strings.count),
        kind == STT_FUNC || kind == STT_OBJECT || kind == STT_NOTYPE || kind == STT_GNU_IFUNC,
        // A label among the data (_edata, __bss_start) is no variable; among the code it may be a function in assembly.
        kind != STT_NOTYPE || width > 0 || code.contains(Int(index))
      else { continue }
      entries.append(Entry(address: address, size: width, name: name, file: UInt32(self.strings.count)))
    }
    self.strings.append(strings)
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

  /// The number of the symbol with a name. O(n): for few.
  func find(named name: String) -> Int? {
    let wanted = Array(name.utf8)
    return names.indices.first { index in
      strings[Int(names[index].file)].string(at: UInt64(names[index].position))?.elementsEqual(wanted) == true
    }
  }

  var count: Int { addresses.count }

  func address(_ index: Int) -> UInt64 { addresses[index] }

  /// The names of the symbols that end in one of the suffixes.
  func names(endingIn suffixes: [String]) -> [String] {
    let endings = suffixes.map { Array($0.utf8) }
    return names.compactMap { place in
      guard let name = strings[Int(place.file)].string(at: UInt64(place.position)),
        endings.contains(where: { name.suffix($0.count).elementsEqual($0) })
      else { return nil }
      return String(decoding: name, as: UTF8.self)
    }
  }

  /// The names that contain a text.
  func names(containing text: String) -> [String] {
    names.compactMap { place in
      guard let name = strings[Int(place.file)].string(at: UInt64(place.position)),
        // A zero ends it.
        let start = UnsafeRawPointer(name.baseAddress)?.assumingMemoryBound(to: CChar.self), strstr(start, text) != nil
      else { return nil }
      return String(decoding: name, as: UTF8.self)
    }
  }

  /// The functions whose names end in one of the suffixes, and where their code is.
  func functions(endingIn suffixes: [String]) -> [(name: String, code: Range<UInt64>)] {
    let endings = suffixes.map { Array($0.utf8) }
    return names.indices.compactMap { index in
      guard let name = strings[Int(names[index].file)].string(at: UInt64(names[index].position)),
        endings.contains(where: { name.suffix($0.count).elementsEqual($0) })
      else { return nil }
      return (String(decoding: name, as: UTF8.self), addresses[index]..<addresses[index] &+ sizes[index])
    }
  }

  /// The name, or `none` in a damaged file.
  mutating func name(_ index: Int, _ table: StringTable) -> Int32 {
    if texts[index] < 0 {
      let (position, file) = names[index]
      texts[index] = strings[Int(file)].string(at: UInt64(position)).map { table.add($0) } ?? StringTable.none
    }
    return texts[index]
  }
}
