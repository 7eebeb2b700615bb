import Glibc
import LifelineHeap

/// A process and its descendants.
struct ProcessTree {
  let root: pid_t

  /// One of them. Its process ID alone does not identify it, because IDs are reused.
  struct Process: Equatable {
    let number: pid_t
    let parent: pid_t
    let group: pid_t
    /// Processor time used so far, including that of ended children, in the kernel's ticks.
    let ticks: UInt64
    /// Start time, in the kernel's ticks since the system's start.
    let start: UInt64
    /// Whether it has ended but has not been reaped.
    let hasEnded: Bool

    /// Nil if there is none.
    init?(_ number: pid_t) {
      let text = ProcessFile.text(of: "/proc/\(number)/stat")
      // proc(5): the name, in parentheses, may contain spaces; it is followed by state, parent, group, …; utime to
      // cstime are 14 to 17, starttime is 22.
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

  /// Processor time they have used so far, including that of ended ones, in the kernel's ticks.
  var ticks: UInt64 { processes.reduce(0) { $0 &+ $1.ticks } }

  /// The process and its descendants whose parents still exist.
  var processes: [Process] {
    var all: [pid_t: Process] = [:]
    for number in ProcessFile.numbers(in: "/proc") {
      all[pid_t(number)] = Process(pid_t(number))
    }
    return all.values.filter { process in
      var ancestor = process.number
      // A process ID can be reused between two looks, so the chain of ancestors might not end.
      for _ in 0..<64 where ancestor != root { ancestor = all[ancestor]?.parent ?? 0 }
      return ancestor == root
    }
  }
}
