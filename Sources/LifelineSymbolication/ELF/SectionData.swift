import CElfutils

/// The bytes of a file's sections by virtual address; every read is checked.
struct SectionData {
  private struct Section {
    let address: UInt64
    let bytes: UnsafeRawBufferPointer
    let name: String
  }

  private var sections: [Section] = []
  /// The bytes live as long as the file does.
  private let file: ELFFile

  init(_ file: ELFFile) {
    self.file = file
    var names = 0
    guard elf_getshdrstrndx(file.elf, &names) == 0 else { return }
    var section: OpaquePointer?
    while let next = elf_nextscn(file.elf, section) {
      section = next
      var header = GElf_Shdr()
      guard gelf_getshdr(next, &header) != nil, header.sh_flags & UInt64(SHF_ALLOC) != 0,
        header.sh_type != UInt32(SHT_NOBITS),
        let data = elf_rawdata(next, nil), let base = data.pointee.d_buf
      else { continue }
      let name = elf_strptr(file.elf, names, Int(header.sh_name)).map { String(cString: $0) } ?? ""
      sections.append(
        Section(
          address: header.sh_addr, bytes: UnsafeRawBufferPointer(start: base, count: data.pointee.d_size), name: name))
    }
  }

  /// Addresses of a section, or nil when the file has none of that name.
  func addresses(of name: String) -> Range<UInt64>? {
    sections.first { $0.name == name }.map { $0.address..<$0.address &+ UInt64($0.bytes.count) }
  }

  /// What is left of the section from an address on; empty where no section is.
  func bytes(at address: UInt64) -> UnsafeRawBufferPointer {
    for section in sections where address >= section.address && address - section.address < UInt64(section.bytes.count)
    {
      return UnsafeRawBufferPointer(rebasing: section.bytes[Int(address - section.address)...])
    }
    return UnsafeRawBufferPointer(start: nil, count: 0)
  }

  func word(at address: UInt64) -> UInt32? {
    let bytes = bytes(at: address)
    return bytes.count >= 4 ? bytes.loadUnaligned(as: UInt32.self) : nil
  }

  /// The address that a relative pointer leads to: nil when it is null or cannot be read.
  func target(at address: UInt64) -> UInt64? {
    guard let word = word(at: address), word != 0 else { return nil }
    return address &+ UInt64(bitPattern: Int64(Int32(bitPattern: word)))
  }

  /// A string that ends in a zero byte, at most 1000 bytes long.
  func string(at address: UInt64) -> String? {
    let bytes = bytes(at: address).prefix(1001)
    guard let end = bytes.firstIndex(of: 0) else { return nil }
    return String(decoding: bytes[bytes.startIndex..<end], as: UTF8.self)
  }
}
