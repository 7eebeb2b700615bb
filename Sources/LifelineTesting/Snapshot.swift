import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import Lifeline

/// What this process's own trace says at a moment: the live objects, where they come from, and who keeps them.
final class Snapshot {
  let trace: Trace
  let tracker: LifetimeTracker
  private(set) lazy var graph = HeapGraph(objects: tracker.liveObjects, classes: trace.tables.classes)
  private(set) lazy var symbolicator = Symbolicator(
    images: trace.tables.images.map {
      SymbolicationImage(
        path: $0.path, loadBias: $0.loadBias, addresses: $0.addresses, buildID: $0.buildID, isSystem: $0.isSystem)
    })
  private var numbersByBacktrace: [BacktraceID: Set<UInt32>] = [:]
  /// Deaths in the trace: event number of the final release, by the object.
  private(set) var deaths: [ObjectID: UInt64] = [:]
  private var spans: [UInt64: Stretch] = [:]

  private struct Stretch {
    let thread: UInt32
    let events: ClosedRange<UInt64>
  }

  /// Reads the trace from its beginning, or as far as it goes by now.
  ///
  /// - Throws: `TraceError`.
  init() throws {
    guard let path = Timeline.tracePath else { throw TraceError("There is no trace of this process.") }
    trace = try Trace(path: path)
    tracker = LifetimeTracker(classes: trace.tables.classes)
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) {
      tracker.take(event, from: reader)
      if event.kind == .deallocate, let id = tracker.object(at: event.object) { deaths[id] = event.sequence }
      guard event.kind == .span else { continue }
      let begin = spans[event.argument1].map { $0.events.lowerBound } ?? event.sequence
      spans[event.argument1] = Stretch(thread: event.thread, events: begin...event.sequence)
    }
    if trace.recording.state == .stopped {
      throw TraceError("The recording stopped early: \(trace.recording.stopSentence ?? "nobody knows why").")
    }
    if let first = reader.problems.first { throw TraceError(first) }
    if let lost = trace.recording.counters.first(where: { $0.name.hasPrefix("lost") }) {
      throw TraceError("\(lost.value) \(lost.meaning) were lost.")
    }
  }

  /// The identity of the object that lives at an address.
  func id(at address: UInt64) -> ObjectID? { tracker.object(at: address) }

  /// Objects that a piece of code with a number allocated, by the way or in tasks that it waits for, and that are live.
  func liveObjects(allocatedBy number: UInt32) -> [TrackedObject] {
    tracker.liveObjects.filter { isObject($0) && numbers(in: $0.allocation).contains(number) }
  }

  /// Objects that a thread allocated in a stretch of its work, and that are live.
  func liveObjects(allocatedIn span: UInt64) -> [TrackedObject] {
    guard let span = spans[span] else { return [] }
    return tracker.liveObjects.filter {
      span.events.contains($0.allocationSequence) && $0.allocationThread == span.thread && isObject($0)
    }
  }

  /// Instances of classes, not closures and boxes; not those of the library that asks.
  func isObject(_ object: TrackedObject) -> Bool {
    guard graph.isObject(object.address) else { return false }
    let name = tracker.id(of: object).className
    return !name.hasPrefix("LifelineTesting.") && !name.hasPrefix("Lifeline.")
  }

  func numbers(in backtrace: BacktraceID) -> Set<UInt32> {
    if let known = numbersByBacktrace[backtrace] { return known }
    let names = tracker.backtraces.sites(backtrace).reversed().filter(\.isFrame).map {
      symbolicator.symbol(at: $0.lookupAddress)?.name ?? ""
    }
    let numbers = TestMarker.numbers(in: names)
    numbersByBacktrace[backtrace] = numbers
    return numbers
  }
}
