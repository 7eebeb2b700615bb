import CPtrace
import Glibc

/// Waits for threads that this process traces.
public enum TracedThread {
  /// Waits until a thread that was interrupted stops; returns its wait status, or nil if it has ended instead.
  public static func stop(of thread: pid_t, of process: pid_t) -> Int32? {
    guard let change = change(of: thread, of: process) else { return nil }
    if [Int32(CLD_EXITED), Int32(CLD_KILLED), Int32(CLD_DUMPED)].contains(change) {
      noteEnd(of: thread, of: process)
      return nil
    }
    var status: Int32 = 0
    return waitpid(thread, &status, Int32(LIFELINE_WALL)) == thread ? status : nil
  }

  /// Takes note of the end of a thread that has ended or been killed.
  ///
  /// Until its tracer has done so, the thread remains, and as long as one does, neither the tracer nor the parent
  /// learns that the process has ended. The end of our own child is reported to the code that waits for it.
  public static func noteEnd(of thread: pid_t, of process: pid_t) {
    guard thread != process || parent(of: process) != getpid() else { return }
    var status: Int32 = 0
    for _ in 0..<1000 {
      if waitpid(thread, &status, WNOHANG | Int32(LIFELINE_WALL)) != 0 { break }
      usleep(1000)
    }
  }

  /// Whether a thread has ended, even if it is still listed.
  public static func hasEnded(_ thread: pid_t, of process: pid_t) -> Bool {
    let state = ProcessFile.state(of: Int(thread), in: Int(process))
    return state == nil || state == "Z" || state == "X"
  }

  /// How its state changed, as in `si_code`; nil if that is not reported. The end of a main thread is reported only
  /// when all others have ended.
  private static func change(of thread: pid_t, of process: pid_t) -> Int32? {
    let options = WEXITED | WSTOPPED | WNOWAIT | WNOHANG | Int32(LIFELINE_WALL)
    var rounds = 0
    while true {
      var information = siginfo_t()
      if waitid(P_PID, id_t(thread), &information, options) != 0 {
        if errno != EINTR { return nil }
      } else if information.si_signo == SIGCHLD {
        return information.si_code
      } else if rounds > 100, thread == process, hasEnded(thread, of: process) {
        return nil
      }
      rounds += 1
      // A thread that runs stops at once.
      if rounds < 100 { sched_yield() } else { usleep(50) }
    }
  }

  private static func parent(of process: pid_t) -> pid_t? {
    let line = ProcessFile.lines(of: "/proc/\(process)/status").first { $0.hasPrefix("PPid:") }
    return line.flatMap { pid_t($0.dropFirst(5).drop { $0 == "\t" || $0 == " " }) }
  }
}
