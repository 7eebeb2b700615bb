import CPtrace
import Glibc

/// System calls that return EINTR to a thread that was only stopped and continued (ptrace(2), "BUGS"), so they must be
/// repeated.
public enum StoppedCall {
  private static let numbers: Set<UInt64> = [65, 69, 70, 128, 208, 220, 232, 281, 333, 441]

  /// Whether a stopped thread with these registers would see such a call interrupted.
  public static func isInterrupted(_ registers: user_regs_struct) -> Bool {
    Int64(bitPattern: UInt64(registers.rax)) == -4 && numbers.contains(UInt64(registers.orig_rax))
  }

  /// A pending signal is up to the thread, which may have to see that a call was interrupted.
  public static func hasPendingSignal(_ thread: Int, of process: Int) -> Bool {
    var masks: [Substring: UInt64] = [:]
    for line in ProcessFile.lines(of: "/proc/\(process)/task/\(thread)/status") {
      let words = line.split(whereSeparator: { $0 == ":" || $0 == "\t" })
      if words.count == 2 { masks[words[0]] = UInt64(words[1], radix: 16) }
    }
    guard let own = masks["SigPnd"], let shared = masks["ShdPnd"], let blocked = masks["SigBlk"] else { return true }
    return (own | shared) & ~blocked != 0
  }

  /// Changes the registers to those of a thread that is about to make its call.
  public static func remake(_ registers: inout user_regs_struct) {
    registers.rax = registers.orig_rax
    registers.rip -= 2
    registers.orig_rax = .max
  }
}
