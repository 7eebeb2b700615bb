import Glibc
import LifelineHeap

/// A process, what it started, and so on.
struct ProcessTree {
  let root: pid_t

  private struct Process {
    let parent: Int
    let ticks: UInt64
  }

  /// Processor time that they have used until now, with that of those that have ended, in the kernel's ticks.
  var ticks: UInt64 {
    var processes: [Int: Process] = [:]
    for number in ProcessFile.numbers(in: "/proc") { processes[number] = Self.process(number) }
    return processes.keys.reduce(0) { sum, number in
      var ancestor = number
      // Between two looks a number can be given anew, so that the way up need not end.
      for _ in 0..<64 where ancestor != Int(root) { ancestor = processes[ancestor]?.parent ?? 0 }
      return ancestor == Int(root) ? sum &+ (processes[number]?.ticks ?? 0) : sum
    }
  }

  private static func process(_ number: Int) -> Process? {
    let text = ProcessFile.text(of: "/proc/\(number)/stat")
    // proc(5): the name, in parentheses, may have blanks; behind it state, parent, …; utime to cstime are 14 to 17.
    guard let end = text.lastIndex(of: ")") else { return nil }
    let fields = text[end...].split(separator: " ")
    guard fields.count > 15, let parent = Int(fields[2]) else { return nil }
    return Process(parent: parent, ticks: fields[12...15].reduce(0) { $0 &+ (UInt64($1) ?? 0) })
  }
}
