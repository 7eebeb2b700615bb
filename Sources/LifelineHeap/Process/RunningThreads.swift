import Glibc

/// Threads of a process that run, or would if they had a processor.
public enum RunningThreads {
  private static let pause: UInt32 = 500  // microseconds

  /// Waits until all threads of a process but one are asleep; false after `limit` milliseconds.
  ///
  /// What a thread of a pool did last stays on its stack until it waits for more work, and on a busy machine it may be
  /// stopped anywhere before that.
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

  /// The kernel's IDs of the threads that run, wait for a processor, or for a disk.
  private static func all(of process: Int, but thread: Int) -> [Int] {
    ProcessFile.numbers(in: "/proc/\(process)/task").filter { number in
      number != thread && ["R", "D"].contains(ProcessFile.state(of: number, in: process))
    }
  }
}
