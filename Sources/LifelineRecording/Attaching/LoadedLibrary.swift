import CElfutils

/// A library in a process's memory, with its exported functions.
///
/// Its file may have been replaced, or be inaccessible to us.
struct LoadedLibrary {
  let addresses: Range<UInt64>
  private let memory: RemoteMemory
  private let bias: UInt64
  private let text: Range<UInt64>
  private let symbols: UInt64
  private let names: UInt64
  private let nameSize: Int
  private let hashes: UInt64

  /// Nil if there is no library with a symbol table.
  init?(_ addresses: Range<UInt64>, _ memory: RemoteMemory) {
    self.addresses = addresses
    self.memory = memory
    let base = addresses.lowerBound
    guard let header = memory.read(Elf64_Ehdr.self, at: base), header.e_ident.0 == 0x7F, header.e_phnum < 64 else {
      return nil
    }
    let segments = (0..<UInt64(header.e_phnum)).compactMap {
      memory.read(Elf64_Phdr.self, at: base + header.e_phoff + $0 * 56)
    }
    guard let first = segments.first(where: { $0.p_type == 1 }), let dynamic = segments.first(where: { $0.p_type == 2 })
    else { return nil }
    bias = base &- (first.p_vaddr & ~4095)
    let code = segments.first { $0.p_type == 1 && $0.p_flags & 1 != 0 }
    let start = bias &+ (code?.p_vaddr ?? 0)
    text = start..<start &+ min(code?.p_filesz ?? 0, 64 << 20)
    guard let table = memory.read(bias &+ dynamic.p_vaddr, count: Int(clamping: min(dynamic.p_memsz, 65536))) else {
      return nil
    }
    var entries: [UInt64: UInt64] = [:]
    table.withUnsafeBytes { bytes in
      for offset in stride(from: 0, to: bytes.count - 15, by: 16) {
        entries[bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)] = bytes.loadUnaligned(
          fromByteOffset: offset + 8, as: UInt64.self)
      }
    }
    // DT_SYMTAB, DT_STRTAB, DT_GNU_HASH. The dynamic linker has added the bias, except for the kernel's own library.
    guard let symbols = entries[6], let names = entries[5], let hashes = entries[0x6FFF_FEF5],
      [symbols, names, hashes].allSatisfy(addresses.contains)
    else { return nil }
    (self.symbols, self.names, self.hashes) = (symbols, names, hashes)
    nameSize = Int(min(entries[10] ?? 0, 64 << 20))  // DT_STRSZ
  }

  /// The address of a function, or nil if the library has none with that name.
  func function(_ name: String) -> UInt64? {
    guard let head = memory.read((UInt32, UInt32, UInt32, UInt32).self, at: hashes), head.0 > 0 else { return nil }
    let hash = name.utf8.reduce(5381 as UInt32) { $0 &* 33 &+ UInt32($1) }
    let buckets = hashes + 16 + UInt64(head.2) * 8
    guard var index = memory.read(UInt32.self, at: buckets + UInt64(hash % head.0) * 4), index >= head.1 else {
      return nil
    }
    let chains = buckets + UInt64(head.0) * 4
    while let value = memory.read(UInt32.self, at: chains + UInt64(index - head.1) * 4) {
      if value | 1 == hash | 1, let symbol = symbol(index), memory.text(names + UInt64(symbol.st_name)) == name,
        symbol.st_shndx != 0
      {
        return bias &+ symbol.st_value
      }
      if value & 1 != 0 { return nil }
      index += 1
    }
    return nil
  }

  /// The address of some code that occurs exactly once; otherwise nil.
  func place(of code: [UInt8]) -> UInt64? {
    guard let bytes = memory.read(text.lowerBound, count: Int(text.upperBound - text.lowerBound)) else { return nil }
    var found: UInt64?
    var start = bytes.startIndex
    while let next = bytes[start...].firstIndex(of: code[0]) {
      if bytes[next...].starts(with: code) {
        if found != nil { return nil }
        found = text.lowerBound + UInt64(next)
      }
      start = next + 1
    }
    return found
  }

  private func symbol(_ index: UInt32) -> Elf64_Sym? { memory.read(Elf64_Sym.self, at: symbols + UInt64(index) * 24) }

  /// All functions, by address.
  func functions() -> [(addresses: Range<UInt64>, name: String)] {
    // Every linker writes the names after the symbols.
    guard names > symbols, names - symbols < 64 << 20,
      let table = memory.read(symbols, count: Int(names - symbols)),
      let texts = memory.read(names, count: nameSize)
    else { return [] }
    return table.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count - 23, by: 24).compactMap { offset in
        let symbol = bytes.loadUnaligned(fromByteOffset: offset, as: Elf64_Sym.self)
        guard symbol.st_info & 15 == 2, symbol.st_shndx != 0, symbol.st_size > 0, symbol.st_name < texts.count else {
          return nil
        }
        let start = bias &+ symbol.st_value
        let name = texts[Int(symbol.st_name)...].prefix { $0 != 0 }
        return (start..<start + symbol.st_size, String(decoding: name, as: UTF8.self))
      }
    }
  }
}
