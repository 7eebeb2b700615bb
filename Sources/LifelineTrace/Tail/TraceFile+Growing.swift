import Glibc

/// A trace file while it is being written: its size, and whether its name still refers to it.
extension TraceFile {
  /// What happened to the file's name.
  public enum Name: Sendable, Equatable { case stands, removed, replaced }

  /// Its current size in bytes.
  public var currentSize: Int64 {
    var status = stat()
    return fstat(descriptor.rawValue, &status) == 0 ? Int64(status.st_size) : 0
  }

  public var name: Name {
    var named = stat(), opened = stat()
    guard stat(path, &named) == 0 else { return errno == ENOENT ? .removed : .stands }
    guard fstat(descriptor.rawValue, &opened) == 0 else { return .stands }
    return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino ? .stands : .replaced
  }
}
