import Glibc

/// Source files by path, read once, and only if they are certainly source.
///
/// The paths come from debug information, which may be foreign or hostile: only a regular file with the name of a
/// source file is opened, so that a report never includes a password file, waits on a pipe or reads a device.
final class SourceFileTable {
  static let byteLimit = 4_000_000
  static let fileLimit = 500
  private static let suffixes = [".swift", ".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".m", ".mm", ".inc", ".def"]

  private var files: [String: [String]?] = [:]
  /// Nanoseconds since 1970; a file that changed later is not what the program was built from.
  private let builtAt: UInt64

  /// Excludes files that changed after the program's file did, or after the recording began.
  init(program: String = "", recordedAt: UInt64? = nil) {
    var status = stat()
    let built = program.hasPrefix("/") && stat(program, &status) == 0 ? Self.changed(status) : .max
    builtAt = min(built, recordedAt ?? .max)
  }

  private static func changed(_ status: stat) -> UInt64 {
    UInt64(max(0, status.st_mtim.tv_sec)) &* 1_000_000_000 &+ UInt64(max(0, status.st_mtim.tv_nsec))
  }

  /// The lines around `line`, which counts from 1, with their numbers; empty if the file or the line does not exist.
  func lines(around line: Int, of path: String, margin: Int) -> [(number: Int, text: String)] {
    if files[path] == nil, files.count < Self.fileLimit { files[path] = read(path) }
    guard let lines = files[path] ?? nil, line >= 1, line <= lines.count else { return [] }
    return (max(1, line - margin)...min(lines.count, line + margin)).map { ($0, lines[$0 - 1]) }
  }

  private func read(_ path: String) -> [String]? {
    guard path.hasPrefix("/"), path.utf8.count < 4096, Self.suffixes.contains(where: path.hasSuffix) else { return nil }
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      (0...Self.byteLimit).contains(Int(status.st_size))
    else { return nil }
    guard Self.changed(status) <= builtAt else { return nil }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var length = 0
    while length < bytes.count {
      let count = bytes[length...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
      if count <= 0 { break }
      length += count
    }
    return bytes[..<length].split(separator: 0x0A, omittingEmptySubsequences: false).map {
      String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self)
    }
  }
}
