import Glibc
import SystemPackage

/// The parts of an ELF file that determine how it can be recorded.
///
/// Format: System V ABI, "Object Files"; 64-bit little-endian only.
struct ProgramFile {
  private(set) var isNative = false
  private(set) var isStatic = true
  private(set) var runtime = ProgramInspection.Runtime.unknown

  private let descriptor: FileDescriptor
  /// Size of the file; its contents are trusted only within it.
  private let size: UInt64

  /// Nil if the file is not an ELF file.
  init?(path: String) {
    guard let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec]) else {
      return nil
    }
    self.descriptor = descriptor
    defer { try? descriptor.close() }
    size = UInt64(clamping: (try? descriptor.seek(offset: 0, from: .end)) ?? 0)
    guard let header = read(0, 64), header.starts(with: [0x7F, 0x45, 0x4C, 0x46]) else { return nil }
    isNative = header[4] == 2 && header[5] == 1 && word(header, 18, 2) == 62
    guard isNative else { return }
    readSegments(header)
    readSections(header)
  }

  private func read(_ offset: UInt64, _ count: Int) -> [UInt8]? {
    guard offset <= size, count >= 0, UInt64(count) <= size - offset else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let more =
        (try? bytes.withUnsafeMutableBytes {
          try descriptor.read(
            fromAbsoluteOffset: Int64(offset) + Int64(done), into: UnsafeMutableRawBufferPointer(rebasing: $0[done...]))
        }) ?? 0
      if more == 0 { return nil }
      done += more
    }
    return bytes
  }

  private func word(_ bytes: [UInt8], _ offset: Int, _ size: Int) -> UInt64 {
    (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
  }

  private mutating func readSegments(_ header: [UInt8]) {
    let count = Int(word(header, 56, 2))
    guard let table = read(word(header, 32, 8), count * 56) else { return }
    for index in 0..<count where word(table, index * 56, 4) == 3 { isStatic = false }  // PT_INTERP
  }

  /// Looks for the runtime: a needed libswiftCore.so, otherwise swift_retain among the file's own symbols.
  private mutating func readSections(_ header: [UInt8]) {
    let count = Int(word(header, 60, 2))
    guard count > 0, let table = read(word(header, 40, 8), count * 64) else { return }
    func section(_ index: Int) -> [UInt8]? {
      index < count ? read(word(table, index * 64 + 24, 8), Int(clamping: word(table, index * 64 + 32, 8))) : nil
    }
    // A file has one of each; a damaged file that lists thousands must not be read thousands of times.
    var hasDynamicTable = false
    var hasSymbolTable = false
    var mentionsRuntime = false
    for index in 0..<count {
      let type = word(table, index * 64 + 4, 4)
      let link = Int(word(table, index * 64 + 40, 4))
      if type == 6, !hasDynamicTable, let entries = section(index), let strings = section(link) {  // SHT_DYNAMIC
        hasDynamicTable = true
        for entry in stride(from: 0, to: entries.count - 15, by: 16) where word(entries, entry, 8) == 1 {
          let name = string(strings, Int(truncatingIfNeeded: word(entries, entry + 8, 8)))
          if name == "libswiftCore.so" { runtime = .shared }
        }
      } else if type == 2, !hasSymbolTable, runtime != .shared, let strings = section(link) {  // SHT_SYMTAB
        hasSymbolTable = true
        if strings.firstRange(of: Array("\0swift_retain\0".utf8)) != nil { runtime = .inside }
      } else if type == 1, !mentionsRuntime {  // SHT_PROGBITS
        mentionsRuntime = nameStart(table, header, index) == Array("swift5_".utf8)
      }
    }
    if runtime == .unknown, mentionsRuntime, !hasSymbolTable { runtime = .insideStripped }
  }

  /// The first seven bytes of a section's name.
  private func nameStart(_ table: [UInt8], _ header: [UInt8], _ index: Int) -> [UInt8]? {
    let names = Int(word(header, 62, 2))
    guard (names + 1) * 64 <= table.count else { return nil }
    return read(word(table, names * 64 + 24, 8) &+ word(table, index * 64, 4), 7)
  }

  private func string(_ bytes: [UInt8], _ offset: Int) -> String {
    guard offset >= 0, offset < bytes.count else { return "" }
    return String(decoding: bytes[offset...].prefix { $0 != 0 }, as: UTF8.self)
  }
}
