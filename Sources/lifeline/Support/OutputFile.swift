import Glibc
import LifelineTrace
import SystemPackage

/// A file for an answer: 0600, never overwritten unasked, never through a link.
struct OutputFile {
  let path: String
  let replaces: Bool

  func write(_ text: String) throws { try write { _ = try $0.writeAll(Array(text.utf8)) } }

  /// Opens the file and has it written; one that cannot be written whole is removed.
  ///
  /// - Throws: `TraceError`, also for an `Errno` of `body`.
  func write<Result>(_ body: (FileDescriptor) throws -> Result) throws -> Result {
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
      // A device is written too, but not removed.
      let isFile = fstat(file.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      do {
        return try file.closeAfter { try body(file) }
      } catch {
        if isFile { unlink(path) }
        throw error
      }
    } catch Errno.fileExists {
      throw TraceError("The file \(path) exists already; --force replaces it.")
    } catch let error as Errno {
      throw TraceError("The file \(path) cannot be written: \(error).")
    }
  }
}
