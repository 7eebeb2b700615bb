import Glibc
import SystemPackage

/// Whether a program can be recorded, judging by its file alone.
public struct ProgramInspection: Sendable, Equatable {
  public enum Runtime: Sendable, Equatable {
    /// Needs libswiftCore.so: its entry points are detoured there.
    case shared
    /// Has the runtime linked in, and a symbol table that names its entry points.
    case inside
    /// Has the runtime linked in, but the names were stripped.
    case insideStripped
    /// Nothing of Swift was found in the file; a library that it needs may load the runtime.
    case unknown
  }

  public let path: String
  public let runtime: Runtime
  /// Why nothing can be recorded, or nil.
  public let obstacle: String?

  public var canBeRecorded: Bool { obstacle == nil }

  /// Inspects a program, looked up in PATH if the name has no slash.
  ///
  /// - Throws: `RecordingError` if there is no such program or it cannot be run.
  public init(program: String) throws {
    path = try Self.find(program)
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw RecordingError(
        "The program \(path) cannot be examined: \(Errno(rawValue: errno)).", couldNotStart: true)
    }
    let setID = status.st_mode & (S_ISUID | S_ISGID) != 0 && getuid() != 0
    guard let file = ProgramFile(path: path) else {
      runtime = .unknown
      obstacle = Self.notELF(path)
      return
    }
    runtime = file.runtime
    if setID {
      obstacle = "\(path) is set-user-ID or set-group-ID; the system ignores preloaded libraries for such programs."
    } else if !file.isNative {
      obstacle = "\(path) is for another processor or word size; the probe is for 64-bit x86."
    } else if file.isStatic {
      obstacle =
        "\(path) is a static executable: no library can be preloaded into it. Link it without -static-executable."
    } else if file.runtime == .insideStripped {
      obstacle =
        "\(path) has the Swift runtime linked in and its symbol table stripped, so the runtime's entry points cannot "
        + "be found. Keep the symbols or link without -static-stdlib."
    } else {
      obstacle = nil
    }
  }

  private static func notELF(_ path: String) -> String? {
    guard let descriptor = try? FileDescriptor.open(FilePath(path), .readOnly) else { return "\(path) cannot be read." }
    defer { try? descriptor.close() }
    var start = [UInt8](repeating: 0, count: 2)
    let count = (try? start.withUnsafeMutableBytes { try descriptor.read(into: $0) }) ?? 0
    // A script's interpreter, and what it starts, are recorded if they are Swift programs.
    return count == 2 && start == Array("#!".utf8) ? nil : "\(path) is not an ELF program."
  }

  private static func find(_ program: String) throws -> String {
    if program.contains("/") {
      try check(program)
      return program
    }
    guard !program.isEmpty else { throw RecordingError("The program name is empty.", couldNotStart: true) }
    // An empty entry of PATH is the working directory.
    let folders = (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin").split(
      separator: ":", omittingEmptySubsequences: false)
    var forbidden: String?
    for folder in folders {
      let candidate = folder.isEmpty ? "./\(program)" : "\(folder)/\(program)"
      var status = stat()
      guard stat(candidate, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
      if access(candidate, X_OK) == 0 { return candidate }
      if forbidden == nil { forbidden = candidate }
    }
    if let forbidden {
      throw RecordingError("The program \(forbidden) cannot be run: permission denied.", couldNotStart: true)
    }
    throw RecordingError("There is no program '\(program)' in PATH.", couldNotStart: true)
  }

  private static func check(_ path: String) throws {
    var status = stat()
    guard stat(path, &status) == 0 else {
      throw RecordingError(
        errno == ENOENT
          ? "There is no program \(path)." : "The program \(path) cannot be examined: \(Errno(rawValue: errno)).",
        couldNotStart: true)
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw RecordingError("\(path) is a folder, not a program.", couldNotStart: true)
    }
    guard access(path, X_OK) == 0 else {
      throw RecordingError("The program \(path) cannot be run: permission denied.", couldNotStart: true)
    }
  }
}
