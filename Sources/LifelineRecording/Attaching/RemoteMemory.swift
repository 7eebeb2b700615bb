import CPtrace
import Glibc

/// The memory of a running process.
struct RemoteMemory {
  let process: pid_t

  /// Nil if any of the bytes cannot be read.
  func read(_ address: UInt64, count: Int) -> [UInt8]? {
    guard count > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: count)
    let isRead = bytes.withUnsafeMutableBytes { buffer in
      var local = iovec(iov_base: buffer.baseAddress, iov_len: count)
      var remote = iovec(iov_base: UnsafeMutableRawPointer(bitPattern: UInt(address)), iov_len: count)
      return lifeline_read_process(process, &local, 1, &remote, 1) == count
    }
    return isRead ? bytes : nil
  }

  func read<Value: BitwiseCopyable>(_ type: Value.Type, at address: UInt64) -> Value? {
    read(address, count: MemoryLayout<Value>.size)?.withUnsafeBytes { $0.loadUnaligned(as: type) }
  }

  /// The text up to a zero byte, at most `limit` bytes.
  func text(_ address: UInt64, limit: Int = 1024) -> String? {
    var bytes: [UInt8] = []
    while bytes.count < limit {
      // Not beyond a page on which the text may end.
      let next = address + UInt64(bytes.count)
      guard let part = read(next, count: min(limit - bytes.count, 256 - Int(next & 255))) else { return nil }
      bytes += part.prefix { $0 != 0 }
      if part.contains(0) { break }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @discardableResult
  func write(_ bytes: [UInt8], at address: UInt64) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var local = iovec(iov_base: UnsafeMutableRawPointer(mutating: buffer.baseAddress), iov_len: buffer.count)
      var remote = iovec(iov_base: UnsafeMutableRawPointer(bitPattern: UInt(address)), iov_len: buffer.count)
      return lifeline_write_process(process, &local, 1, &remote, 1) == buffer.count
    }
  }

  @discardableResult
  func write(_ value: UInt32, at address: UInt64) -> Bool {
    write(withUnsafeBytes(of: value) { Array($0) }, at: address)
  }

  /// Writes to memory that is read-only for the process itself; pages of a file become private copies.
  func overwrite(_ bytes: [UInt8], at address: UInt64) -> Bool {
    let file = open("/proc/\(process)/mem", O_WRONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    return bytes.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, off_t(address)) } == bytes.count
  }
}
