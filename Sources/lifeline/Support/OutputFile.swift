import Glibc
import LifelineTrace
import SystemPackage

/// A file for an answer: as open as the umask lets it be, never overwritten unasked, never through a link.
struct OutputFile {
  let path: String
  let replaces: Bool
  /// A trace may hold what the program worked on, so it is its owner's alone.
  var isTrace = false

  /// Looks whether a report can be written here, before the work that leads to it.
  ///
  /// - Throws: `TraceError` when it cannot.
  func examine(format: ReportFormat) throws {
    var status = stat()
    if lstat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFLNK {
        throw TraceError("\(path) is a link; lifeline writes no file through a link.")
      }
      if status.st_mode & S_IFMT == S_IFDIR { throw TraceError("\(path) is a folder; name a file for the report.") }
      if !replaces, status.st_mode & S_IFMT == S_IFREG, !isReport(format) { throw Self.exists(path) }
      if access(path, W_OK) != 0 { throw TraceError("The file \(path) cannot be written: \(Errno(rawValue: errno)).") }
      return
    }
    let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let parent = folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder
    guard access(parent, F_OK) == 0 else {
      throw TraceError("There is no folder \(parent) for \(path); make it, or choose another file.")
    }
    guard access(parent, W_OK | X_OK) == 0 else {
      throw TraceError("The folder \(parent) cannot be written, so \(path) cannot be made there.")
    }
  }

  /// Writes a report; an earlier one of the same format is replaced.
  func writeReport(_ text: String, format: ReportFormat) throws {
    try OutputFile(path: path, replaces: replaces || isReport(format)).write(text)
  }

  /// Whether the file is a report that lifeline wrote in this format.
  private func isReport(_ format: ReportFormat) -> Bool {
    guard let text = try? InputFile(path: path).read() else { return false }
    return text.isEmpty || text.contains(format.mark)
  }

  private static func exists(_ path: String) -> TraceError {
    TraceError("The file \(path) exists already; --force replaces it.")
  }

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
      let file = try FileDescriptor.open(
        FilePath(path), .writeOnly, options: options, permissions: isTrace ? .ownerReadWrite : .underUmask)
      // A device is written too, but not removed.
      let isFile = fstat(file.rawValue, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
      do {
        return try file.closeAfter { try body(file) }
      } catch {
        if isFile { unlink(path) }
        throw error
      }
    } catch Errno.fileExists {
      throw Self.exists(path)
    } catch let error as Errno {
      throw TraceError("The file \(path) cannot be written: \(error).")
    }
  }
}
