import CElfutils
import SystemPackage

/// An ELF file opened with libelf.
final class ELFFile {
  let path: String
  let elf: OpaquePointer
  private let descriptor: FileDescriptor

  /// Nil when the file does not exist, is unreadable, or is no ELF file.
  init?(path: String) {
    guard elf_version(UInt32(EV_CURRENT)) != 0,
      let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    else { return nil }
    // Reads rather than maps, so that a file that shrinks is an error instead of a SIGBUS.
    guard let elf = elf_begin(descriptor.rawValue, ELF_C_READ, nil), elf_kind(elf) == ELF_K_ELF else {
      try? descriptor.close()
      return nil
    }
    self.path = path
    self.elf = elf
    self.descriptor = descriptor
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

  /// The file name in .gnu_debuglink, or nil.
  var debugLink: String? {
    var sum: GElf_Word = 0
    guard let name = dwelf_elf_gnu_debuglink(elf, &sum) else { return nil }
    return String(cString: name)
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
