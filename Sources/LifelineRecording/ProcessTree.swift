import Glibc
import LifelineHeap

/// A process, what it started, and so on.
struct ProcessTree {
  let root: pid_t

  /// One of them. Its process ID alone does not identify it, since it can be reused after its end.
  struct Process: Equatable {
    let number: pid_t
    let parent: pid_t
    let group: pid_t
    /// Processor time that it has used until now, with that of its children that have ended, in the kernel's ticks.
    let ticks: UInt64
    /// When it began, in the kernel's ticks since the system's start.
    let start: UInt64
    /// It has ended, but has not been waited for.
    let hasEnded: Bool

    /// Nil when there is none.
    init?(_ number: pid_t) {
      let text = ProcessFile.text(of: "/proc/\(number)/stat")
      // proc(5): the name, in parentheses, may have blanks; behind it state, parent, group, …; utime to cstime are
      // 14 to 17, starttime is 22.
      guard let end = text.lastIndex(of: ")") else { return nil }
      let fields = text[end...].split(separator: " ")
      guard fields.count > 20, let parent = pid_t(fields[2]), let group = pid_t(fields[3]),
        let start = UInt64(fields[20])
      else { return nil }
      self.number = number
      self.parent = parent
      self.group = group
      ticks = fields[12...15].reduce(0) { $0 &+ (UInt64($1) ?? 0) }
      self.start = start
      hasEnded = fields[1] == "Z"
    }

    var isAlive: Bool {
      guard let now = Self(number) else { return false }
      return now.start == start && !now.hasEnded
    }

    func send(_ signal: Int32) {
      if isAlive { kill(number, signal) }
    }
  }

  /// Processor time that they have used until now, with that of those that have ended, in the kernel's ticks.
  var ticks: UInt64 { processes.reduce(0) { $0 &+ $1.ticks } }

  /// The process and all that came from it and whose parents are still there.
  var processes: [Process] {
    var all: [pid_t: Process] = [:]
    for number in ProcessFile.numbers(in: "/proc") {
      all[pid_t(number)] = Process(pid_t(number))
    }
    return all.values.filter { process in
      var ancestor = process.number
      // A process ID can be reused between two looks, so the way up might not end.
      for _ in 0..<64 where ancestor != root { ancestor = all[ancestor]?.parent ?? 0 }
      return ancestor == root
    }
  }
}
