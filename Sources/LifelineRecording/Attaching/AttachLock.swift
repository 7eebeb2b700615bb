import Glibc

/// Allows one `lifeline` at a time to start or end the recording of a process: a name that the kernel gives to one
/// socket, and releases when its process ends.
struct AttachLock {
  private let socket: Int32

  /// - Throws: `AttachError` if another one holds it.
  init(_ process: Int) throws {
    socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array("\0lifeline-attach-\(process)".utf8)  // abstract: no file is left behind
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let size = socklen_t(MemoryLayout<sa_family_t>.size + name.count)
    let isBound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, size) == 0 }
    }
    guard socket >= 0, isBound else {
      if socket >= 0 { close(socket) }
      throw AttachError(
        "Another lifeline is starting or stopping the recording of process \(process); try again when it is done.")
    }
  }

  func release() { close(socket) }
}
