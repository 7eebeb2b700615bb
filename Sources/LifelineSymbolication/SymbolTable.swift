import CElfutils

/// The functions and objects that a file's .symtab (else .dynsym) names, sorted by address.
struct SymbolTable {
  struct Symbol {
    let address: UInt64
    let size: UInt64
    let name: String
  }

  private var addresses: [UInt64] = []
  private var sizes: [UInt64] = []
  private var names: [UnsafePointer<CChar>] = []

  /// Reads the tables of an open file, which must outlive this value.
  init(_ file: ELFFile) {
    var entries: [(address: UInt64, size: UInt64, name: UnsafePointer<CChar>)] = []
    for type in [UInt32(SHT_SYMTAB), UInt32(SHT_DYNSYM)] where entries.isEmpty {
      Self.read(file, type, &entries)
    }
    // Of several names for one function the last in the table is taken, as llvm-symbolizer does: the first are
    // often a library's private aliases.
    entries.reverse()
    entries.sort { ($0.address, $1.size) < ($1.address, $0.size) }
    addresses = entries.map(\.address)
    sizes = entries.map(\.size)
    names = entries.map(\.name)
  }

  private static func read(
    _ file: ELFFile, _ type: UInt32, _ entries: inout [(address: UInt64, size: UInt64, name: UnsafePointer<CChar>)]
  ) {
    var section: OpaquePointer?
    while let next = elf_nextscn(file.elf, section) {
      section = next
      var header = GElf_Shdr()
      guard gelf_getshdr(next, &header) != nil, header.sh_type == type, header.sh_entsize > 0,
        let data = elf_getdata(next, nil)
      else { continue }
      let count = Int32(truncatingIfNeeded: min(UInt64(data.pointee.d_size) / header.sh_entsize, 50_000_000))
      for index in 0..<count {
        var symbol = GElf_Sym()
        guard gelf_getsym(data, index, &symbol) != nil, symbol.st_shndx != UInt16(SHN_UNDEF), symbol.st_value != 0
        else { continue }
        let kind = symbol.st_info & 0xF
        guard kind == UInt8(STT_FUNC) || kind == UInt8(STT_OBJECT) || kind == UInt8(STT_NOTYPE),
          let name = elf_strptr(file.elf, Int(header.sh_link), Int(symbol.st_name)), name.pointee != 0
        else { continue }
        entries.append((symbol.st_value, symbol.st_size, UnsafePointer(name)))
      }
    }
  }

  /// The symbol that covers an address; one without a size covers up to the next. O(log n).
  func find(_ address: UInt64) -> Symbol? {
    var low = 0
    var high = addresses.count
    while low < high {
      let middle = (low + high) / 2
      if addresses[middle] <= address { low = middle + 1 } else { high = middle }
    }
    // Several symbols may begin at one address: the sorting puts the widest first, which is found last.
    var index = low - 1
    var steps = 0
    while index >= 0, steps < 16 {
      if address - addresses[index] < sizes[index] || (sizes[index] == 0 && steps == 0) {
        while index > 0, addresses[index - 1] == addresses[index] { index -= 1 }
        return Symbol(address: addresses[index], size: sizes[index], name: String(cString: names[index]))
      }
      index -= 1
      steps += 1
    }
    return nil
  }
}
