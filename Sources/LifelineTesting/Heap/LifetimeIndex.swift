import Lifeline
import LifelineTrace
import Synchronization

/// The live objects of this process, updated with what the trace gained since the last look.
///
/// A `Snapshot` reads the trace from its beginning, so tests that end one after another would read all earlier events
/// again and again. This says that a scope is clean, or that it does not know, and then a snapshot decides.
final class LifetimeIndex: Sendable {
  static let shared = LifetimeIndex()

  /// The state at a moment.
  struct Reading {
    let tail: TraceTail
    let lives: AddressLives
    let functions: BacktraceFunctions
  }

  private struct State: @unchecked Sendable {
    var isUsable = true
    var tail: TraceTail?
    var lives = AddressLives()
    let functions = BacktraceFunctions()
  }

  /// With more addresses nothing is kept, and only snapshots are used.
  private static let limit = 1 << 18

  private let state = Mutex(State())
  private static let queue = ReadingQueue<Reading?> { body in shared.read(body) }

  /// Whether a test or scope meets its requirements; nil if unknown.
  func isClean(_ scope: TestScope, _ requirement: LifetimeRequirement) async -> Bool? {
    try? await Self.queue.with { reading -> Bool? in
      guard let reading, let witness = scope.witnessAddress.flatMap({ reading.lives[$0] }),
        witness.number == scope.number, !reading.lives.hasCaught || !requirement.contains(.noUseAfterFree)
      else { return nil }
      guard requirement.contains(.noLeaks) else { return true }
      var isCertain = true
      for life in reading.lives.live where Self.isObject(life, reading.tail) {
        if life.number != 0 {
          if TestRecorder.parents.isPart(life.number, of: scope.number) { return false }
        } else if let function = scope.function {
          // It is the test's own if no other test runs the same function, which a snapshot checks.
          isCertain = isCertain && !reading.functions.of(life.backtrace, in: reading.tail).contains(function)
        }
      }
      return isCertain ? true : nil
    } ?? nil
  }

  /// Whether everything allocated in a finished span of a thread's work has certainly ended.
  func isClean(span: UInt64) -> Bool {
    var isClean = false
    read { reading in
      guard let reading else { return }
      isClean =
        reading.lives.isOver(span: span)
        && !reading.lives.live.contains { reading.lives.isPart($0, of: span) && Self.isObject($0, reading.tail) }
    }
    return isClean
  }

  /// Instances of classes, not closures and boxes, nor those of the asking library. Unknown objects count.
  private static func isObject(_ life: AddressLives.Life, _ tail: TraceTail) -> Bool {
    guard let record = tail.tables.classes[life.record] else { return true }
    return record.sort == .object && !record.name.hasPrefix("LifelineTesting.") && !record.name.hasPrefix("Lifeline.")
  }

  /// Calls `body` once, with nil if the trace is incomplete.
  private func read(_ body: (Reading?) -> Void) {
    guard TestRecorder.problem == nil, let path = Timeline.tracePath else { return body(nil) }
    Timeline.unrecorded {
      state.withLock { state in
        // Another recording began, or this is a child of the process that looked before.
        if let tail = state.tail, tail.path != path { state = State() }
        if state.isUsable { state.isUsable = (try? Self.readOn(path, &state)) ?? false }
        guard state.isUsable, let tail = state.tail else {
          state = State(isUsable: false)
          return body(nil)
        }
        body(Reading(tail: tail, lives: state.lives, functions: state.functions))
      }
    }
  }

  /// Gives up what is known, for the end of the process: its addresses would seem to hold what leaked.
  ///
  /// Not if it is in use: the thread that uses it may not exist in a forked child.
  func forget() { state.withLockIfAvailable { $0 = State(isUsable: false) } }

  /// Reads what was written since the last look; false if the trace is incomplete.
  private static func readOn(_ path: String, _ state: inout State) throws -> Bool {
    let tail = try state.tail ?? TraceTail(path: path)
    state.tail = tail
    try tail.look()
    while try !tail.read(
      chunks: 64,
      { batch, stream in
        for index in 0..<batch.count { state.lives.take(batch.events[index], batch.backtraces[index], stream: stream) }
      })
    {}
    state.lives.endLook()
    let recording = tail.recording
    return recording.state != .stopped && recording.keep == nil && tail.tables.sampleChanges.isEmpty
      && tail.problems.isEmpty && tail.backtraces.count < TraceTail.backtraceLimit && state.lives.count <= limit
      && !recording.counters.contains { $0.name.hasPrefix("lost") }
  }
}
