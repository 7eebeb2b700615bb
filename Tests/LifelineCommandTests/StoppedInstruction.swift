import CPtrace
import Glibc
import LifelineTestSupport

/// A thread of a process, stopped before a certain instruction. All calls must come from one thread.
struct StoppedInstruction {
  private static let singleStep: UInt32 = 9  // PTRACE_SINGLESTEP
  private let thread: pid_t

  /// Lets the thread run, one instruction at a time, until its program counter is `address`.
  ///
  /// Nil if it does not come there within `most` instructions; then it continues.
  /// - Throws: `TestProcessError` if it cannot be stopped.
  init?(_ thread: pid_t, at address: UInt64, most: Int) throws {
    self.thread = thread
    guard lifeline_ptrace(LIFELINE_PTRACE_SEIZE, thread, 0, 0) == 0,
      lifeline_ptrace(LIFELINE_PTRACE_INTERRUPT, thread, 0, 0) == 0
    else { throw TestProcessError("thread \(thread) cannot be stopped: \(String(cString: strerror(errno)))") }
    for _ in 0..<most {
      var status: Int32 = 0
      guard waitpid(thread, &status, Int32(LIFELINE_WALL)) == thread, status & 0xFF == 0x7F else { break }
      if programCounter == address { return }
      lifeline_ptrace(Self.singleStep, thread, 0, 0)
    }
    var status: Int32 = 0
    waitpid(thread, &status, Int32(LIFELINE_WALL))
    release()
    return nil
  }

  private var programCounter: UInt64 {
    var registers = user_regs_struct()
    withUnsafeMutableBytes(of: &registers) { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      withUnsafeMutablePointer(to: &vector) {
        _ = lifeline_ptrace(
          LIFELINE_PTRACE_GETREGSET, thread, UInt64(LIFELINE_NT_PRSTATUS), UInt64(UInt(bitPattern: $0)))
      }
    }
    return UInt64(registers.rip)
  }

  /// Lets it continue.
  func release() { lifeline_ptrace(LIFELINE_PTRACE_DETACH, thread, 0, 0) }
}
