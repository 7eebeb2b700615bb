import CPtrace
import Glibc

/// Words that the kernel delivers with pending signals: `sigqueue` sends a pointer with one.
enum PendingSignals {
  private static let ofProcess: UInt32 = 1, mostAtOnce: Int32 = 64
  private static let size = MemoryLayout<siginfo_t>.size

  /// The words of signals pending for a stopped thread, or for its process. `isTaken` is whether it has just taken one.
  static func words(of thread: pid_t, isTaken: Bool) -> [UInt64] {
    var words: [UInt64] = []
    if isTaken {
      var buffer = [UInt64](repeating: 0, count: size / 8)
      let isRead = buffer.withUnsafeMutableBytes {
        lifeline_ptrace(LIFELINE_PTRACE_GETSIGINFO, thread, 0, UInt64(UInt(bitPattern: $0.baseAddress!))) == 0
      }
      if isRead { words += buffer }
    }
    return words + pending(thread, flags: 0) + pending(thread, flags: ofProcess)
  }

  private static func pending(_ thread: pid_t, flags: UInt32) -> [UInt64] {
    var words: [UInt64] = []
    var buffer = [UInt64](repeating: 0, count: Int(mostAtOnce) * size / 8)
    var range = lifeline_pending_signals(offset: 0, flags: flags, count: mostAtOnce)
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        withUnsafePointer(to: &range) {
          lifeline_ptrace(
            LIFELINE_PTRACE_PEEKSIGINFO, thread, UInt64(UInt(bitPattern: $0)),
            UInt64(UInt(bitPattern: bytes.baseAddress!)))
        }
      }
      guard count > 0 else { return words }
      words += buffer.prefix(count * size / 8)
      range.offset += UInt64(count)
    }
  }
}
