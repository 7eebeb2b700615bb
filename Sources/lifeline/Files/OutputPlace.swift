import Glibc
import LifelineTrace
import SystemPackage

/// The path of a new file: what exists there, and whether a file may.
struct OutputPlace {
  let path: String
  /// The mode of the existing file; nil if there is none.
  private(set) var mode: mode_t?

  /// - Throws: `TraceError` if no file can be created, even with permission to replace.
  init(_ path: String) throws {
    self.path = path
    if path.isEmpty { throw TraceError("The name of the output file is empty.") }
    var status = stat()
    if lstat(path, &status) == 0 {
      mode = status.st_mode & S_IFMT
      if mode == S_IFLNK { throw TraceError("\(path) is a symbolic link; name another file.") }
      if mode == S_IFDIR { throw TraceError("\(path) is a folder; name a file.") }
      return
    }
    guard access(folder, F_OK) == 0 else {
      throw TraceError("There is no folder \(folder) for \(path); create it, or name another file.")
    }
  }

  /// The folder of the file.
  var folder: String {
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    return folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
  }

  /// Whether it is one of these files, under any name.
  private func isOneOf(_ files: [String]) -> Bool {
    var own = stat()
    guard stat(path, &own) == 0 else { return false }
    return files.contains { file in
      var other = stat()
      return stat(file, &other) == 0 && other.st_dev == own.st_dev && other.st_ino == own.st_ino
    }
  }

  /// Checks that an output does not replace a trace it is made from.
  ///
  /// - Throws: `TraceError` if it would.
  static func examine(_ path: String, besides traces: [String]) throws {
    if try OutputPlace(path).isOneOf(traces) {
      throw TraceError("\(path) is the trace itself; name another file.")
    }
  }
}
