import Glibc
import LifelineTrace
import SystemPackage

/// A file that appears under its name when it is whole: as open as the umask lets it be, never over another one
/// unasked, never through a link.
///
/// Until then it has no name, so that nothing is left of it when lifeline is killed. Where the file system has no such
/// files (open(2), O_TMPFILE), and for writers that need a name, it is PATH.partial-PID, beside it.
struct CompleteFile {
  let path: String
  let replaces: Bool
  private let permissions: FilePermissions

  /// - Parameter isTrace: What a trace holds is its owner's alone.
  /// - Throws: `TraceError` when a file may not be made here, before the work that leads to it.
  init(path: String, replaces: Bool, isTrace: Bool = false) throws {
    self.path = path
    self.replaces = replaces
    permissions = isTrace ? .ownerReadWrite : .underUmask
    if try OutputPlace(path).mode != nil, !replaces { throw exists }
  }

  private var exists: TraceError { TraceError("The file \(path) already exists; use --force to replace it.") }
  private func failure(_ error: Errno) -> TraceError { TraceError("Cannot write the file \(path): \(error).") }

  /// Has the file written, and gives it its name. A device or pipe has no name to wait for and is written at once.
  ///
  /// - Throws: `TraceError`, also for an `Errno` of `body`.
  func write<Result>(_ body: (FileDescriptor) throws -> Result) throws -> Result {
    if let file = nameless() {
      do {
        return try file.closeAfter {
          let result = try body(file)
          try name(file)
          return result
        }
      } catch let error as Errno {
        throw failure(error)
      }
    }
    return try withName { name, isNew in
      let options: FileDescriptor.OpenOptions =
        isNew ? [.create, .exclusiveCreate, .noFollow, .closeOnExec] : [.noFollow, .closeOnExec]
      let file = try FileDescriptor.open(FilePath(name), .writeOnly, options: options, permissions: permissions)
      return try file.closeAfter { try body(file) }
    }
  }

  /// Has the file written by its temporary name: it exists and is empty.
  ///
  /// - Throws: `TraceError`, and what `body` throws.
  func writeByName<Result>(_ body: (String) throws -> Result) throws -> Result {
    try withName { name, isNew in
      guard isNew else { throw TraceError("\(path) is not a regular file, which this format needs.") }
      try FileDescriptor.open(
        FilePath(name), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: permissions
      ).close()
      return try body(name)
    }
  }

  /// O_TMPFILE, a macro that Swift does not see.
  private static let withoutName = FileDescriptor.OpenOptions(rawValue: 0o20_200_000)

  /// A file without a name in the folder; nil where there is no such thing, or a device or pipe is meant.
  private func nameless() -> FileDescriptor? {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
    let folder = FilePath(path).removingLastComponent()
    return try? FileDescriptor.open(
      folder.isEmpty ? "." : folder, .writeOnly, options: [Self.withoutName, .closeOnExec], permissions: permissions)
  }

  /// Gives a file without a name its own.
  private func name(_ file: FileDescriptor) throws {
    let temporary = "\(path).partial-\(getpid())"
    let name = replaces ? temporary : path
    guard linkat(AT_FDCWD, "/proc/self/fd/\(file.rawValue)", AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
      throw errno == EEXIST && !replaces ? exists : Errno(rawValue: errno) as any Error
    }
    if replaces, rename(temporary, path) != 0 {
      let error = Errno(rawValue: errno)
      unlink(temporary)
      throw error
    }
  }

  private func withName<Result>(_ body: (_ name: String, _ isNew: Bool) throws -> Result) throws -> Result {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      do { return try body(path, false) } catch let error as Errno { throw failure(error) }
    }
    let name = "\(path).partial-\(getpid())"
    do {
      let result = try body(name, true)
      try give(name)
      return result
    } catch let error as Errno {
      unlink(name)
      throw failure(error)
    } catch {
      unlink(name)
      throw error
    }
  }

  private func give(_ name: String) throws {
    if replaces {
      guard rename(name, path) == 0 else { throw Errno(rawValue: errno) }
      return
    }
    // Unlike rename, link refuses a name that has come up meanwhile.
    guard link(name, path) == 0 else { throw errno == EEXIST ? exists : Errno(rawValue: errno) as any Error }
    unlink(name)
  }
}

extension FilePermissions {
  /// Whoever the process's umask lets may read and write: the mode of a file as programs make it.
  static let underUmask: Self = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
}
