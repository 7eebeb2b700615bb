import Glibc
import LifelineTrace
import SystemPackage

/// A file for an answer: its mode follows the umask, it replaces another file only on request, and it is never written
/// through a link.
struct OutputFile {
  let path: String
  let replaces: Bool
  /// A trace may contain what the program worked on, so only its owner may read it.
  var isTrace = false

  /// Checks that a report can be written here, before the work that leads to it.
  ///
  /// - Throws: `TraceError` if it cannot.
  func examine(format: ReportFormat) throws {
    let place = try OutputPlace(path)
    if let mode = place.mode {
      if !replaces, mode == S_IFREG, !isReport(format) { throw Self.exists(path) }
      if access(path, W_OK) != 0 { throw TraceError("Cannot write the file \(path): \(Errno(rawValue: errno)).") }
      return
    }
    guard access(place.folder, W_OK | X_OK) == 0 else {
      throw TraceError("Cannot create \(path): the folder \(place.folder) is not writable.")
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
    TraceError("The file \(path) already exists; use --force to replace it.")
  }

  func write(_ text: String) throws { try write { _ = try $0.writeAll(Array(text.utf8)) } }

  /// Writes the file, which appears when it is complete; until then an earlier one is kept.
  ///
  /// - Throws: `TraceError`, also for an `Errno` of `body`.
  func write<Result>(_ body: (FileDescriptor) throws -> Result) throws -> Result {
    try CompleteFile(path: path, replaces: replaces, isTrace: isTrace).write(body)
  }
}
