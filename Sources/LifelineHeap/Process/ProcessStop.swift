import CPtrace
import Glibc

/// Stops all threads of a process, and lets them continue unchanged.
///
/// All calls must come from one thread: the kernel only lets the thread that stopped a process query it.
struct ProcessStop {
  private struct Held {
    let thread: pid_t
    /// A signal that was about to be delivered when the thread stopped.
    let signal: Int32
    /// Whether only we stopped the thread.
    let isOurs: Bool
  }

  let process: Int
  private var held: [Held] = []

  /// - Throws: `HeapError` if the process may not be stopped or is gone; then nothing is stopped.
  init(_ process: Int) throws {
    self.process = process
    var known: Set<Int> = []
    while true {
      let fresh = ProcessFile.numbers(in: "/proc/\(process)/task").filter { !known.contains($0) }
      if fresh.isEmpty { break }
      for thread in fresh {
        known.insert(thread)
        do {
          if let stopped = try stop(pid_t(thread)) { held.append(stopped) }
        } catch {
          letGo()
          throw error
        }
      }
    }
    if held.isEmpty { throw HeapError("there is no process \(process)") }
  }

  /// A thread that has the process's memory: the main thread may have ended before the others.
  var living: Int { held.contains { Int($0.thread) == process } ? process : Int(held.first?.thread ?? pid_t(process)) }

  private func stop(_ thread: pid_t) throws -> Held? {
    guard lifeline_ptrace(LIFELINE_PTRACE_SEIZE, thread, 0, 0) == 0 else {
      switch errno {
      case ESRCH: return nil
      case EPERM:
        if TracedThread.hasEnded(thread, of: pid_t(process)) { return nil }
        throw HeapError(
          "the process cannot be examined: it is traced by a debugger, belongs to another user, or is protected")
      default: throw HeapError("the process could not be stopped: \(String(cString: strerror(errno)))")
      }
    }
    lifeline_ptrace(LIFELINE_PTRACE_INTERRUPT, thread, 0, 0)
    guard let status = TracedThread.stop(of: thread, of: pid_t(process)) else { return nil }
    let event = status >> 16
    let signal = (status >> 8) & 0xFF
    return Held(thread: thread, signal: event == 0 ? signal : 0, isOurs: event != 0 && signal == SIGTRAP)
  }

  /// The registers of all threads.
  func threads() -> [StoppedThread] { held.compactMap { registers(of: $0.thread) } }

  /// The words of pending signals.
  func signalWords() -> [UInt64] {
    held.flatMap { PendingSignals.words(of: $0.thread, isTaken: $0.signal != 0) }
  }

  private func access(_ request: UInt32, _ general: inout user_regs_struct, of thread: pid_t) -> Bool {
    withUnsafeMutableBytes(of: &general) { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      return withUnsafeMutablePointer(to: &vector) {
        lifeline_ptrace(request, thread, UInt64(LIFELINE_NT_PRSTATUS), UInt64(UInt(bitPattern: $0))) == 0
      }
    }
  }

  private func registers(of thread: pid_t) -> StoppedThread? {
    var general = user_regs_struct()
    guard access(LIFELINE_PTRACE_GETREGSET, &general, of: thread) else { return nil }
    var words = withUnsafeBytes(of: general) { Array($0.bindMemory(to: UInt64.self)) }
    words += vectors(of: thread)
    let name = ProcessFile.lines(of: "/proc/\(process)/task/\(thread)/comm").first.map(String.init) ?? ""
    return StoppedThread(
      id: Int(thread), name: name, stackPointer: UInt64(general.rsp), controlBlock: UInt64(general.fs_base),
      registers: words)
  }

  private func vectors(of thread: pid_t) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: 2048)
    let length = words.withUnsafeMutableBytes { bytes in
      var vector = iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
      let isRead = withUnsafeMutablePointer(to: &vector) {
        lifeline_ptrace(LIFELINE_PTRACE_GETREGSET, thread, UInt64(LIFELINE_NT_X86_XSTATE), UInt64(UInt(bitPattern: $0)))
          == 0
      }
      return isRead ? vector.iov_len : 0
    }
    return Array(words.prefix(length / 8))
  }

  /// Lets all threads continue, with their pending signals.
  mutating func letGo() {
    var killed: [pid_t] = []
    for one in held {
      if one.isOurs { repairCall(of: one.thread) }
      if lifeline_ptrace(LIFELINE_PTRACE_DETACH, one.thread, 0, UInt64(one.signal)) != 0 { killed.append(one.thread) }
    }
    held = []
    // The end of the main thread is reported last.
    for thread in killed where Int(thread) != process { TracedThread.noteEnd(of: thread, of: pid_t(process)) }
    if killed.contains(pid_t(process)) { TracedThread.noteEnd(of: pid_t(process), of: pid_t(process)) }
  }

  /// Repeats a system call that our stop interrupted.
  private func repairCall(of thread: pid_t) {
    var general = user_regs_struct()
    guard access(LIFELINE_PTRACE_GETREGSET, &general, of: thread), StoppedCall.isInterrupted(general),
      !StoppedCall.hasPendingSignal(Int(thread), of: process)
    else { return }
    StoppedCall.remake(&general)
    _ = access(LIFELINE_PTRACE_SETREGSET, &general, of: thread)
  }
}
