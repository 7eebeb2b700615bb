import CElfutils
import SystemPackage

/// An ELF file opened with libelf.
final class ELFFile {
  let path: String
  let elf: OpaquePointer
  private let descriptor: FileDescriptor
  private let size: UInt64

  /// Throws the reason if the file cannot be read, is not an ELF file, or lacks the section table in its header.
  init(path: String) throws(ELFFileError) {
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw .unreadable(error)
    }
    // Reads rather than maps, so that a file that shrinks is an error instead of a SIGBUS.
    size = (try? descriptor.seek(offset: 0, from: .end)).map { UInt64(clamping: $0) } ?? 0
    guard elf_version(UInt32(EV_CURRENT)) != 0, let elf = elf_begin(descriptor.rawValue, ELF_C_READ, nil) else {
      try? descriptor.close()
      throw .notELF
    }
    self.path = path
    self.elf = elf
    guard elf_kind(elf) == ELF_K_ELF else { throw .notELF }
    let identity = UnsafeRawPointer(elf_getident(elf, nil))
    guard identity?.load(fromByteOffset: Int(EI_CLASS), as: UInt8.self) == UInt8(ELFCLASS64),
      identity?.load(fromByteOffset: Int(EI_DATA), as: UInt8.self) == UInt8(ELFDATA2LSB)
    else { throw .otherMachine }
    var header = GElf_Ehdr()
    var sections = 0
    guard gelf_getehdr(elf, &header) != nil, elf_getshdrnum(elf, &sections) == 0,
      header.e_shoff == 0 || elf_nextscn(elf, nil) != nil
    else { throw .cutOff }
  }

  deinit {
    elf_end(elf)
    try? descriptor.close()
  }

  /// The GNU build ID, empty if there is none.
  var buildID: [UInt8] {
    var bytes: UnsafeRawPointer?
    let size = dwelf_elf_gnu_build_id(elf, &bytes)
    guard size > 0, let bytes else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
  }

  /// The contents of .gnu_debuglink: the debug file's name and the CRC-32 of its bytes.
  var debugLink: (name: String, checksum: UInt32)? {
    var sum: GElf_Word = 0
    guard let name = dwelf_elf_gnu_debuglink(elf, &sum) else { return nil }
    return (String(cString: name), sum)
  }

  /// The CRC-32 of the whole file, or nil if it cannot be read.
  func checksum() -> UInt32? {
    var sum = CRC32()
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { bytes.deallocate() }
    var offset: Int64 = 0
    while let count = try? descriptor.read(fromAbsoluteOffset: offset, into: bytes) {
      if count == 0 { return sum.value }
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      offset += Int64(count)
    }
    return nil
  }

  /// The section table, without the sections that take no space in the file.
  private(set) lazy var sections: [Section] = {
    var names = 0
    guard elf_getshdrstrndx(elf, &names) == 0 else { return [] }
    var found: [Section] = []
    var handle: OpaquePointer?
    while let next = elf_nextscn(elf, handle) {
      handle = next
      var header = GElf_Shdr()
      guard gelf_getshdr(next, &header) != nil, header.sh_type != UInt32(SHT_NOBITS),
        let name = elf_strptr(elf, names, Int(header.sh_name))
      else { continue }
      found.append(
        Section(
          number: elf_ndxscn(next), handle: next, name: String(cString: name), type: header.sh_type,
          address: header.sh_addr, offset: header.sh_offset, size: header.sh_size,
          entrySize: header.sh_entsize, link: Int(header.sh_link),
          isCompressed: header.sh_flags & UInt64(SHF_COMPRESSED) != 0,
          isExecutable: header.sh_flags & UInt64(SHF_EXECINSTR) != 0))
    }
    return found
  }()

  func section(numbered number: Int) -> Section? { sections.first { $0.number == number } }

  /// The bytes of a section, decompressed; nil if they are not within the file or cannot be decompressed.
  ///
  /// Call it once per section: libelf decompresses in place.
  func bytes(of section: Section) -> SectionBytes? {
    let isOldCompressed = section.name.hasPrefix(".zdebug")
    if section.isCompressed || isOldCompressed {
      // libelf rejects sizes that no compression reaches. The result is ours until elf_end.
      guard (section.isCompressed ? elf_compress(section.handle, 0, 0) : elf_compress_gnu(section.handle, 0, 0)) >= 0,
        let data = elf_rawdata(section.handle, nil)
      else { return nil }
      return SectionBytes(decompressed: UnsafeRawBufferPointer(start: data.pointee.d_buf, count: data.pointee.d_size))
    }
    guard section.offset <= size, section.size <= size - section.offset else { return nil }
    return SectionBytes(descriptor, Int(section.offset)..<Int(section.offset + section.size))
  }

  /// Whether this is the file that is mapped and run, rather than a debug file, whose code takes no space.
  var hasCode: Bool { sections.contains { $0.isExecutable } }

  var hasDebugInformation: Bool { sections.contains { $0.name == ".debug_info" || $0.name == ".zdebug_info" } }
}
