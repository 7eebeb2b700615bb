import CLifelineHarness
import Lifeline
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// The state of this process's own trace at a moment: the live objects, where they come from, and who keeps them.
final class Snapshot {
  let trace: Trace
  let tracker: LifetimeTracker
  /// The recorded live objects, by address.
  private(set) lazy var objects = Dictionary(
    tracker.liveObjects.map { ($0.address, $0) }, uniquingKeysWith: { _, last in last })
  /// Searches the memory, which takes far longer than reading the trace of a small test.
  private(set) lazy var heap = LiveHeap(objects: objects, classes: trace.tables.classes)
  var symbolicator: Symbolicator {
    if let borrowed { return borrowed }
    let taken = SymbolicatorPool.take(for: trace.tables.images)
    borrowed = taken
    return taken
  }
  private var borrowed: Symbolicator?
  /// Classes of all objects in the heap, including those older than the recording; by name, with and without module.
  private(set) lazy var olderClasses = LiveHeap.classes()
  /// Numbers of the code that allocated objects and used dead ones, by event.
  private var causes: [UInt64: UInt32] = [:]
  /// Deaths in the trace: event number of the final release, by object.
  private(set) var deaths: [ObjectID: UInt64] = [:]
  private var spans: [UInt64: Stretch] = [:]
  /// The functions that contain a code address.
  var functions: [UInt64: Set<TestFunction>] = [:]

  private struct Stretch {
    let thread: UInt32
    let events: ClosedRange<UInt64>
  }

  /// Reads the trace from its beginning up to this moment; call it while this thread is not recorded, or it would never
  /// end.
  ///
  /// - Throws: `TraceError`.
  init(until end: UInt64) throws {
    guard let path = Timeline.tracePath else { throw TraceError("There is no trace of this process.") }
    trace = try Trace(path: path)
    tracker = LifetimeTracker(trace)
    let reader = trace.events()
    var event = Event()
    // The number of each stream's last event, for the current event and for those before it.
    var last: [Int: UInt64] = [:]
    var stream = -1, sequence: UInt64 = 0
    while try reader.next(&event) {
      // At depth lives an object's end may be all that is recorded of it.
      let freed = event.kind == .free ? tracker.object(at: event.object) : nil
      tracker.take(event, from: reader)
      if let freed, deaths[freed] == nil { deaths[freed] = event.sequence }
      if event.kind == .deallocate, let id = tracker.object(at: event.object) { deaths[id] = event.sequence }
      if event.stream != stream {
        last[stream] = sequence
        stream = event.stream
        sequence = last[stream] ?? 0
      }
      if event.kind == .cause { causes[sequence] = UInt32(truncatingIfNeeded: event.argument0) }
      sequence = event.sequence
      guard event.kind == .span else { continue }
      if event.argument1 == end { break }
      let begin = spans[event.argument1].map { $0.events.lowerBound } ?? event.sequence
      spans[event.argument1] = Stretch(thread: event.thread, events: begin...event.sequence)
    }
    if trace.recording.state == .stopped {
      throw TraceError("The recording stopped early: \(trace.recording.stopSentence ?? "for an unknown reason").")
    }
    if let first = reader.problems.first { throw TraceError(first) }
    if let lost = trace.recording.counters.first(where: { $0.name.hasPrefix("lost") }) {
      throw TraceError("\(lost.value) \(lost.meaning) were lost.")
    }
  }

  deinit {
    if let borrowed { SymbolicatorPool.give(borrowed, for: trace.tables.images) }
  }

  /// Shared by tests that end.
  static let queue = ReadingQueue<Snapshot> { body in try with(body) }

  /// The result of `body` for the current trace.
  static func with<Result>(_ body: (Snapshot) throws -> Result) throws -> Result {
    if let problem = TestRecorder.problem { throw TraceError(problem) }
    let end = lifeline_harness_recorder().pointee.span_begin(LIFELINE_SPAN_test.rawValue, "snapshot")
    guard end != 0 else { throw TraceError("The recording has stopped.") }
    return try Timeline.unrecorded { try body(Snapshot(until: end)) }
  }

  /// The allowances that cover a live object, by index.
  func used(of allowances: [LeakAllowance]) -> Set<Int> {
    Set(allowances.indices.filter { allowances[$0].isUsed(in: self) })
  }

  /// The identity of the live object at an address.
  func id(at address: UInt64) -> ObjectID? { tracker.object(at: address) }

  /// The number of the code that caused an event; nil if it had none.
  func number(of event: UInt64) -> UInt32? { causes[event] }

  /// Live objects that a thread allocated in a span of its work.
  func liveObjects(allocatedIn span: UInt64) -> [TrackedObject] {
    guard let span = spans[span] else { return [] }
    return tracker.liveObjects.filter {
      span.events.contains($0.allocationSequence) && $0.allocationThread == span.thread && isObject($0)
    }
  }

  /// Instances of classes, not closures and boxes, nor those of the asking library.
  func isObject(_ object: TrackedObject) -> Bool {
    let name = tracker.id(of: object).className
    guard !name.hasPrefix("LifelineTesting."), !name.hasPrefix("Lifeline.") else { return false }
    return heap.isObject(object.address) || heap.problem != nil
  }
}
