import CElfutils
import SystemPackage

/// An ELF file opened with libelf.
final class ELFFile {
  let path: String
  let elf: OpaquePointer
  private let descriptor: FileDescriptor

  /// Throws the reason when the file cannot be read, is no ELF file, or lacks the section table that it announces.
  init(path: String) throws(ELFFileError) {
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch {
      throw .unreadable(error)
    }
    // Reads rather than maps, so that a file that shrinks is an error instead of a SIGBUS.
    guard elf_version(UInt32(EV_CURRENT)) != 0, let elf = elf_begin(descriptor.rawValue, ELF_C_READ, nil) else {
      try? descriptor.close()
      throw .notELF
    }
    self.path = path
    self.elf = elf
    guard elf_kind(elf) == ELF_K_ELF else { throw .notELF }
    var header = GElf_Ehdr()
    var sections = 0
    guard gelf_getehdr(elf, &header) != nil, elf_getshdrnum(elf, &sections) == 0, header.e_shoff == 0 || elf_nextscn(elf, nil) != nil
    else { throw .cutOff }
  }

  deinit {
    elf_end(elf)
    try? descriptor.close()
  }

  /// The GNU build ID, empty when there is none.
  var buildID: [UInt8] {
    var bytes: UnsafeRawPointer?
    let size = dwelf_elf_gnu_build_id(elf, &bytes)
    guard size > 0, let bytes else { return [] }
    return Array(UnsafeRawBufferPointer(start: bytes, count: Int(size)))
  }

  /// What .gnu_debuglink says: the debug file's name and the CRC-32 of its bytes.
  var debugLink: (name: String, checksum: UInt32)? {
    var sum: GElf_Word = 0
    guard let name = dwelf_elf_gnu_debuglink(elf, &sum) else { return nil }
    return (String(cString: name), sum)
  }

  /// The CRC-32 of the whole file, or nil when it cannot be read.
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

  var hasDebugInformation: Bool {
    var section: OpaquePointer?
    var names = 0
    guard elf_getshdrstrndx(elf, &names) == 0 else { return false }
    while let next = elf_nextscn(elf, section) {
      section = next
      var header = GElf_Shdr()
      guard gelf_getshdr(next, &header) != nil, header.sh_type != UInt32(SHT_NOBITS),
        let name = elf_strptr(elf, names, Int(header.sh_name))
      else { continue }
      let text = String(cString: name)
      if text == ".debug_info" || text == ".zdebug_info" { return true }
    }
    return false
  }
}
