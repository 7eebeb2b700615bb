import Glibc
import LifelineTrace
import SystemPackage

/// A file that appears under its name when it is complete: its mode follows the umask, it replaces another file only on
/// request, and it is never written through a link.
///
/// Until then it has no name, so that nothing is left of it if lifeline is killed. If the file system does not support
/// that (open(2), O_TMPFILE), and for writers that need a name, it is PATH.partial-PID in the same folder.
struct CompleteFile {
  let path: String
  let replaces: Bool
  private let permissions: FilePermissions

  /// - Parameter isTrace: Whether the file is a trace, which only its owner may read.
  /// - Throws: `TraceError` if a file may not be created here, before the work that leads to it.
  init(path: String, replaces: Bool, isTrace: Bool = false) throws {
    self.path = path
    self.replaces = replaces
    permissions = isTrace ? .ownerReadWrite : .underUmask
    if try OutputPlace(path).mode != nil, !replaces { throw exists }
  }

  private var exists: TraceError { TraceError("The file \(path) already exists; use --force to replace it.") }
  private func failure(_ error: Errno) -> TraceError { TraceError("Cannot write the file \(path): \(error).") }

  /// Writes the file, and gives it its name. A device or pipe is written directly.
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

  /// Writes the file under its temporary name; it exists and is empty.
  ///
  /// - Throws: `TraceError`, and the errors of `body`.
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

  /// O_TMPFILE, a macro that Swift does not import.
  private static let withoutName = FileDescriptor.OpenOptions(rawValue: 0o20_200_000)

  /// A file without a name in the folder; nil if that is not supported, or for a device or pipe.
  private func nameless() -> FileDescriptor? {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return nil }
    let folder = FilePath(path).removingLastComponent()
    return try? FileDescriptor.open(
      folder.isEmpty ? "." : folder, .writeOnly, options: [Self.withoutName, .closeOnExec], permissions: permissions)
  }

  /// Names a file that has no name.
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
    // Unlike rename, link fails if the name was taken in the meantime.
    guard link(name, path) == 0 else { throw errno == EEXIST ? exists : Errno(rawValue: errno) as any Error }
    unlink(name)
  }
}

extension FilePermissions {
  /// Readable and writable as far as the process's umask allows, like the mode of most new files.
  static let underUmask: Self = [.ownerReadWrite, .groupReadWrite, .otherReadWrite]
}
