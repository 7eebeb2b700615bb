import CElfutils
import Glibc
import LifelineHeap

/// Threads of Dispatch's pool that wait for work: what is left on their stacks and in registers is unused.
///
/// All calls must come from the thread that stopped the process.
public enum IdleThreads {
  /// Registers as the kernel gives them (struct user_regs_struct).
  private enum Register { static let fourthArgument = 7, systemCall = 15 }
  private enum SystemCall { static let futex: UInt64 = 202, epollWait: UInt64 = 232, epollPwait: UInt64 = 281 }

  /// The address at which the outermost frame of each of them resumes, by thread ID.
  public static func outermostFrames(of process: Int, _ threads: [StoppedThread]) -> [Int: UInt64] {
    let waiting = threads.filter(isWaiting)
    guard !waiting.isEmpty, let reader = FrameReader(pid_t(process)) else { return [:] }
    var result: [Int: UInt64] = [:]
    for thread in waiting {
      let (frames, areAll) = reader.frames(of: pid_t(thread.id))
      guard areAll, let outermost = frames.last else { continue }
      let images = Set(frames.map { reader.image(at: $0.place) })
      // All of its frames are Dispatch's, which waits: no other code runs.
      guard images.contains("libdispatch.so"), images.isSubset(of: ["libdispatch.so", "libc.so.6"]) else { continue }
      result[thread.id] = outermost.address
    }
    return result
  }

  /// For work, with a limit, or for events. A lock is waited for without one.
  private static func isWaiting(_ thread: StoppedThread) -> Bool {
    guard thread.registers.count > Register.systemCall else { return false }
    switch thread.registers[Register.systemCall] {
    case SystemCall.futex: return thread.registers[Register.fourthArgument] != 0
    case SystemCall.epollWait, SystemCall.epollPwait: return true
    default: return false
    }
  }
}
