import Glibc
import LifelineTrace
import SystemPackage

/// A file for an answer: 0600, never overwritten unasked, never through a link.
struct OutputFile {
  let path: String
  let replaces: Bool

  func write(_ text: String) throws {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      throw TraceError("\(path) is a link; lifeline writes no file through a link.")
    }
    var options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate, .noFollow, .closeOnExec]
    do {
      if replaces {
        // A regular file is replaced; anything else keeps its place and is refused below.
        if let existing = try? FileDescriptor.open(FilePath(path), .writeOnly, options: [.noFollow, .closeOnExec]) {
          try existing.close()
          options = [.create, .truncate, .noFollow, .closeOnExec]
        }
      }
      let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: options, permissions: .ownerReadWrite)
      defer { try? file.close() }
      _ = try file.writeAll(Array(text.utf8))
    } catch Errno.fileExists {
      throw TraceError("The file \(path) exists already; --force replaces it.")
    } catch let error as Errno {
      throw TraceError("The file \(path) cannot be written: \(error).")
    }
  }
}
