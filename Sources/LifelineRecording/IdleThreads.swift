import CElfutils
import Glibc
import LifelineHeap

/// Threads of Dispatch's pool that wait for work; the contents of their stacks and registers are unused.
///
/// All calls must come from the thread that stopped the process.
public enum IdleThreads {
  /// Registers in the kernel's layout (struct user_regs_struct).
  private enum Register { static let fourthArgument = 7, secondArgument = 13, firstArgument = 14, systemCall = 15 }
  private enum SystemCall {
    static let futex: UInt64 = 202, restart: UInt64 = 219, epollWait: UInt64 = 232, epollPwait: UInt64 = 281
  }

  /// The resume address of the outermost frame of each of them, by thread ID.
  public static func outermostFrames(of process: Int, _ threads: [StoppedThread]) -> [Int: UInt64] {
    let waiting = threads.filter(isWaiting)
    guard !waiting.isEmpty, let reader = FrameReader(pid_t(process)) else { return [:] }
    var result: [Int: UInt64] = [:]
    for thread in waiting {
      let (frames, areAll) = reader.frames(of: pid_t(thread.id))
      guard areAll, let outermost = frames.last else { continue }
      let images = Set(frames.map { reader.image(at: $0.place) })
      // All of its frames are Dispatch's, which waits; no other code is running.
      guard images.contains("libdispatch.so"), images.isSubset(of: ["libdispatch.so", "libc.so.6"]) else { continue }
      result[thread.id] = outermost.address
    }
    return result
  }

  /// For work, with a timeout, or for events. Waiting for a lock has no timeout.
  ///
  /// After the process was stopped before, the kernel continues a wait with a timeout by `restart_syscall`, with the
  /// wait's arguments.
  private static func isWaiting(_ thread: StoppedThread) -> Bool {
    guard thread.registers.count > Register.systemCall else { return false }
    switch thread.registers[Register.systemCall] {
    case SystemCall.futex: return thread.registers[Register.fourthArgument] != 0
    case SystemCall.restart: return isTimedFutexWait(thread.registers)
    case SystemCall.epollWait, SystemCall.epollPwait: return true
    default: return false
    }
  }

  /// Whether the arguments are those of FUTEX_WAIT or FUTEX_WAIT_BITSET; `nanosleep` has no address of a word.
  private static func isTimedFutexWait(_ registers: [UInt64]) -> Bool {
    let (word, operation) = (registers[Register.firstArgument], registers[Register.secondArgument])
    return word != 0 && word % 4 == 0 && [0, 9].contains(operation & 0x7F) && registers[Register.fourthArgument] != 0
  }
}
