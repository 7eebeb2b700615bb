import Glibc
import SystemPackage

/// The bytes of a trace, read and never mapped, so that a file that shrinks while it is read is an error, not a SIGBUS.
public final class TraceFile: TraceContents {
  public let path: String
  /// Size in bytes when the file was opened.
  public let size: Int64
  let descriptor: FileDescriptor

  /// Opens a regular file.
  ///
  /// - Throws: `TraceError` naming the file, if it does not exist, is unreadable or is not a regular file.
  public init(path: String) throws {
    self.path = path
    do {
      descriptor = try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
    } catch Errno.noSuchFileOrDirectory {
      throw TraceError("There is no file \(path).\(Self.hint(for: path))")
    } catch Errno.permissionDenied {
      throw TraceError("The file \(path) cannot be read: permission denied.")
    } catch let error as Errno {
      throw TraceError("The file \(path) cannot be opened: \(error).")
    }
    do {
      size = try descriptor.seek(offset: 0, from: .end)
      var status = stat()
      if fstat(descriptor.rawValue, &status) == 0, [S_IFCHR, S_IFBLK].contains(status.st_mode & S_IFMT) {
        throw Errno.notSupported
      }
      var byte: UInt8 = 0
      _ = try withUnsafeMutableBytes(of: &byte) { try descriptor.read(fromAbsoluteOffset: 0, into: $0) }
    } catch Errno.isDirectory {
      try? descriptor.close()
      throw TraceError("\(path) is a folder, not a trace.")
    } catch {
      try? descriptor.close()
      throw TraceError("\(path) is not a regular file, so it is not a trace.")
    }
  }

  deinit { try? descriptor.close() }

  /// A hint for a process ID given in place of a trace.
  private static func hint(for path: String) -> String {
    guard Int(path) != nil else { return "" }
    return " If \(path) is a process: 'lifeline attach \(path)' starts a recording, and 'lifeline live \(path)' shows "
      + "it."
  }

  public func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count: Int
      do {
        count = try descriptor.read(fromAbsoluteOffset: offset + Int64(done), into: rest)
      } catch {
        throw TraceError("The file \(path) could not be read at byte \(offset + Int64(done)): \(error).")
      }
      if count == 0 { break }
      done += count
    }
    return done
  }
}
