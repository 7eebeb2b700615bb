import Glibc
import LifelineTrace
import SystemPackage

/// Where a file is to be made: what stands there already, and whether a file may.
struct OutputPlace {
  let path: String
  /// The mode of what has the name; nil where nothing has.
  private(set) var mode: mode_t?

  /// - Throws: `TraceError` where no file can be made, whatever is allowed to be replaced.
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

  /// Whether it is one of these files, under whatever name.
  private func isOneOf(_ files: [String]) -> Bool {
    var own = stat()
    guard stat(path, &own) == 0 else { return false }
    return files.contains { file in
      var other = stat()
      return stat(file, &other) == 0 && other.st_dev == own.st_dev && other.st_ino == own.st_ino
    }
  }

  /// Looks that a result does not take the place of a trace that it is made from.
  ///
  /// - Throws: `TraceError` when it would.
  static func examine(_ path: String, besides traces: [String]) throws {
    if try OutputPlace(path).isOneOf(traces) {
      throw TraceError("\(path) is the trace itself; name another file.")
    }
  }
}
