import Glibc
import LifelineTrace

/// Time limits for a program's second run, which explains the findings of its first run.
///
/// A program that waits for a client, a signal or a file that came only once would wait forever.
public struct Repetition: Sendable {
  /// Seconds after which it gets SIGTERM.
  let limit: Double
  /// Seconds after which it gets SIGTERM if it is idle.
  let patience: Double
  /// Seconds without work that count as waiting.
  let pause: Double

  /// `first` is the duration of the first run in seconds: full recording makes a program slower, but not ten times.
  public init(after first: Double) { self.init(limit: 60 + 10 * first, patience: first, pause: 10) }

  init(limit: Double, patience: Double, pause: Double) {
    self.limit = limit
    self.patience = patience
    self.pause = pause
  }

  /// Watches one repetition while it runs, and ends it.
  struct Watch {
    /// Seconds that it has to end by itself after its limit.
    private static let grace = 5.0

    private let repetition: Repetition
    private let tree: ProcessTree
    private let began = MonotonicClock.seconds
    private var work: UInt64 = 0
    private var worked = MonotonicClock.seconds
    private var looked = 0.0
    /// The processes told to end, and the deadline for that.
    private var told: [ProcessTree.Process] = []
    private var deadline: Double?

    /// `process` leads its own process group.
    init(_ repetition: Repetition, process: pid_t) {
      self.repetition = repetition
      tree = ProcessTree(root: process)
    }

    /// Tells it to end at its time limit, and kills it if it does not; returns whether it was told. Call it several
    /// times a second.
    mutating func endWhenOver() -> Bool {
      if let deadline {
        if MonotonicClock.seconds >= deadline { kill() }
      } else if isOver() {
        deadline = MonotonicClock.seconds + Self.grace
        told = send(SIGTERM)
      }
      return deadline != nil
    }

    /// Sends a signal to its process group, and to what it started in other groups, as `swift test` does; returns all
    /// of them.
    @discardableResult
    func send(_ signal: Int32) -> [ProcessTree.Process] {
      let processes = tree.processes
      Glibc.kill(-tree.root, signal)
      for process in processes where process.group != tree.root { process.send(signal) }
      return processes
    }

    /// After its end, kills the processes that were told to end but have not.
    func endRest() {
      guard let deadline else { return }
      while MonotonicClock.seconds < deadline, told.contains(where: \.isAlive) { usleep(20_000) }
      told.forEach { $0.send(SIGKILL) }
    }

    private func kill() {
      send(SIGKILL)
      told.forEach { $0.send(SIGKILL) }
    }

    private mutating func isOver() -> Bool {
      let now = MonotonicClock.seconds
      if now - began >= repetition.limit { return true }
      guard now - looked >= repetition.pause / 10 else { return false }
      looked = now
      let work = tree.ticks
      // A thread that wakes now and then to check for something works less than a hundredth of the time.
      if work > self.work + UInt64(repetition.pause / 10) { worked = now }
      self.work = work
      return now - began >= repetition.patience && now - worked >= repetition.pause
    }
  }
}
