import CElfutils

/// The functions and objects that a file names, sorted by address.
struct SymbolTable {
  struct Symbol {
    let address: UInt64
    let size: UInt64
    let name: String
  }

  private struct Entry {
    let address: UInt64
    /// Zero for what assembly code did not size.
    let size: UInt64
    let name: UnsafePointer<CChar>
  }

  private var entries: [Entry] = []
  /// The nearest entry before that reaches over this one's beginning; -1 for none.
  private var enclosing: [Int32] = []

  /// Reads the first table that has something to say: .symtab of any of the open files, else .dynsym.
  ///
  /// The files must outlive this value.
  init(_ files: [ELFFile]) {
    for type in [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)] {
      for file in files where entries.isEmpty { read(file, type) }
    }
    entries.sort { ($0.address, $0.size) < ($1.address, $1.size) }
    removeAliases()
    enclose()
  }

  private mutating func read(_ file: ELFFile, _ type: UInt32) {
    var section: OpaquePointer?
    while let next = elf_nextscn(file.elf, section) {
      section = next
      var header = GElf_Shdr()
      guard gelf_getshdr(next, &header) != nil, header.sh_type == type, header.sh_entsize > 0,
        let data = elf_getdata(next, nil)
      else { continue }
      let count = Int32(truncatingIfNeeded: min(UInt64(data.pointee.d_size) / header.sh_entsize, 50_000_000))
      entries.reserveCapacity(entries.count + Int(count))
      for index in 0..<count {
        var symbol = GElf_Sym()
        guard gelf_getsym(data, index, &symbol) != nil, symbol.st_shndx != UInt16(SHN_UNDEF), symbol.st_value != 0
        else { continue }
        let kind = symbol.st_info & 0xF
        guard kind == UInt8(STT_FUNC) || kind == UInt8(STT_OBJECT) || kind == UInt8(STT_NOTYPE) || kind == UInt8(STT_GNU_IFUNC),
          let name = elf_strptr(file.elf, Int(header.sh_link), Int(symbol.st_name)), name.pointee != 0
        else { continue }
        entries.append(Entry(address: symbol.st_value, size: symbol.st_size, name: UnsafePointer(name)))
      }
    }
  }

  /// Of several names of one address the widest stays, the last of the table among equals, as llvm-symbolizer has it.
  private mutating func removeAliases() {
    var kept = 0
    for index in entries.indices {
      if index + 1 < entries.count, entries[index + 1].address == entries[index].address { continue }
      entries[kept] = entries[index]
      kept += 1
    }
    entries.removeSubrange(kept...)
  }

  private mutating func enclose() {
    var open: [Int32] = []
    enclosing.reserveCapacity(entries.count)
    for (index, entry) in entries.enumerated() {
      while let last = open.last, entry.address - entries[Int(last)].address >= entries[Int(last)].size { open.removeLast() }
      enclosing.append(open.last ?? -1)
      open.append(Int32(truncatingIfNeeded: index))
    }
  }

  /// The symbol that covers an address; one without a size covers up to the next, but not what lies in a sized one.
  ///
  /// O(log n + nesting).
  func find(_ address: UInt64) -> Symbol? {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].address <= address { low = middle + 1 } else { high = middle }
    }
    var index = low - 1
    var found = -1
    while index >= 0, found < 0 {
      if address - entries[index].address < entries[index].size { found = index }
      index = Int(enclosing[index])
    }
    if found < 0, low > 0, entries[low - 1].size == 0 { found = low - 1 }
    guard found >= 0 else { return nil }
    return Symbol(address: entries[found].address, size: entries[found].size, name: String(cString: entries[found].name))
  }
}
