import Glibc

/// Threads of a process that run, or would if they had a processor.
public enum RunningThreads {
  private static let pause: UInt32 = 500  // microseconds

  /// Waits until all threads of a process but one sleep; false when `limit` milliseconds have passed before.
  ///
  /// What a thread of a pool did last is on its stack until it waits for more work, and a busy machine may let it stand
  /// anywhere on its way there.
  @discardableResult
  public static func waitUntilAsleep(of process: Int, but thread: Int, limit: Int = 30) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now.advanced(by: .milliseconds(limit))
    while !all(of: process, but: thread).isEmpty {
      if clock.now >= end { return false }
      usleep(pause)
    }
    return true
  }

  /// The kernel's numbers of the threads that run, wait for a processor, or for a disk.
  private static func all(of process: Int, but thread: Int) -> [Int] {
    ProcessFile.numbers(in: "/proc/\(process)/task").filter { number in
      guard number != thread else { return false }
      // The name, in parentheses, may have any character; the state follows it (proc_pid_stat(5)).
      let text = ProcessFile.text(of: "/proc/\(process)/task/\(number)/stat")
      guard let name = text.lastIndex(of: ")") else { return false }
      return ["R", "D"].contains(text[name...].dropFirst(2).first)
    }
  }
}
