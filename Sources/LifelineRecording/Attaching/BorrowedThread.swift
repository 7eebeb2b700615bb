import CPtrace
import Glibc
import LifelineHeap

/// One thread of a process, stopped briefly while the others keep running.
///
/// All calls must come from one thread. If this process ends, the kernel lets the thread continue.
struct BorrowedThread {
  let process: pid_t
  let thread: pid_t
  private(set) var registers = user_regs_struct()
  /// Number of the system call in which it waited, nil if it was in none. `registers` are those of a thread that is
  /// about to make the call.
  private(set) var systemCall: Int?
  /// Whether the call would fail if the thread simply continued.
  private var wouldFail = false

  /// Why a thread was not stopped.
  enum Refusal: Error { case isGone, isForbidden, hasSignal, isStopped }

  /// - Throws: `Refusal`; then the thread continues.
  init(_ thread: pid_t, of process: pid_t) throws(Refusal) {
    (self.process, self.thread) = (process, thread)
    guard lifeline_ptrace(LIFELINE_PTRACE_SEIZE, thread, 0, 0) == 0 else {
      throw errno == ESRCH || TracedThread.hasEnded(thread, of: process) ? .isGone : .isForbidden
    }
    lifeline_ptrace(LIFELINE_PTRACE_INTERRUPT, thread, 0, 0)
    guard let status = TracedThread.stop(of: thread, of: process) else { throw .isGone }
    let signal = status >> 8 & 0xFF
    guard status >> 16 != 0 else {
      letGo(with: signal)
      throw .hasSignal
    }
    guard signal == SIGTRAP else {
      letGo()
      throw .isStopped
    }
    guard access(LIFELINE_PTRACE_GETREGSET) else {
      letGo()
      throw .isGone
    }
    guard !StoppedCall.hasPendingSignal(Int(thread), of: Int(process)) else {
      letGo()
      throw .hasSignal
    }
    restart()
  }

  private mutating func access(_ request: UInt32) -> Bool {
    withUnsafeMutableBytes(of: &registers) { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return withUnsafeMutablePointer(to: &vector) {
        lifeline_ptrace(request, thread, UInt64(LIFELINE_NT_PRSTATUS), UInt64(UInt(bitPattern: $0))) == 0
      }
    }
  }

  /// Does for an interrupted system call what the kernel would do when the thread continues, so that the registers are
  /// those of a thread that is about to make it.
  private mutating func restart() {
    let number = Int(Int64(bitPattern: UInt64(registers.orig_rax)))
    guard number >= 0 else { return }
    switch Int64(bitPattern: UInt64(registers.rax)) {
    case -512, -513, -514: registers.rax = registers.orig_rax  // ERESTARTSYS, ERESTARTNOINTR, ERESTARTNOHAND
    case -516: registers.rax = 219  // ERESTART_RESTARTBLOCK: restart_syscall knows the remaining time
    case _ where StoppedCall.isInterrupted(registers):
      registers.rax = registers.orig_rax
      wouldFail = true
    default: return
    }
    registers.rip -= 2
    registers.orig_rax = .max
    systemCall = number
  }

  /// Lets it continue unchanged. The kernel restarts what it can.
  mutating func release() {
    if wouldFail { _ = access(LIFELINE_PTRACE_SETREGSET) }
    letGo()
  }

  /// Lets it continue elsewhere, with all other registers unchanged.
  mutating func send(to address: UInt64) -> Bool {
    registers.rip = address
    registers.orig_rax = .max
    let isSent = access(LIFELINE_PTRACE_SETREGSET)
    letGo()
    return isSent
  }

  private func letGo(with signal: Int32 = 0) {
    if lifeline_ptrace(LIFELINE_PTRACE_DETACH, thread, 0, UInt64(signal)) != 0 {
      TracedThread.noteEnd(of: thread, of: process)
    }
  }
}
