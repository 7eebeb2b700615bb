/// Brings the events of several threads into the order that the counts of their objects prove.
///
/// It reads ahead of the `EventReader` by a window of events, merged by the clocks. If every event of an object finds
/// the count that the one before it left, that order is kept. Otherwise the object's events in the window are reordered
/// so that they do (`LinearizationSearch`): the clocks of two cores may disagree, a thread may be interrupted between
/// changing a count and reading the clock, and events without a time are only known to be between two times. Then all
/// events are merged again, keeping each thread's own order and the order of every object's events. A thread's event
/// without a time on an object that others use waits until its time is over or another event's count requires it.
///
/// An event costs one lookup in a table of the window's objects; only shared objects cost more.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class EventOrdering {
  /// The stream with the next event, and the earliest time at which that happened.
  struct ScheduledEvent {
    let stream: Int
    let clock: UInt64
    let endsStream: Bool
  }

  /// Number of events read at a time, and number of those examined again with the next ones.
  static let fresh = 8_192
  static let overlap = 1_024
  private static let carryLimit = 4_096

  var problems: [String] { merge.problems }

  /// The decided schedule without a keeper, valid until `decide` is called again.
  @exclusivity(unchecked) private(set) var turns = UnsafeBufferPointer<ScheduledEvent>(start: nil, count: 0)
  /// The number of events that were decided.
  var decided: Int { window.decided }

  private let merge: ClockMerge
  private let window: OrderWindow
  private let keeper: BacktraceKeeper?
  private let memory: UnsafeMutablePointer<ScheduledEvent>
  @exclusivity(unchecked) private var isAtEnd = false

  /// With a `keeper` the events are returned from here (`take`), and some of their backtraces are kept.
  init(_ trace: Trace, _ streams: [StreamChunks], keeping keeper: BacktraceKeeper? = nil) {
    self.keeper = keeper
    merge = ClockMerge(trace, streams: streams)
    // An event is at least one byte. A short trace needs less memory.
    let events = streams.lazy.flatMap(\.chunks).reduce(0) { $0 + $1.length }
    let capacity = min(Self.fresh + Self.carryLimit, events) + streams.count
    window = OrderWindow(
      capacity: capacity, streams: streams.count, orders: trace.orders, keepsEvents: keeper != nil)
    memory = .allocate(capacity: keeper == nil ? capacity : 0)
  }

  deinit { memory.deallocate() }

  /// Objects that another stream's pending event also touches; reading alone stops when one is met.
  let watched = AddressFilter()
  /// The stream that is read alone for a chunk after the schedule.
  @exclusivity(unchecked) private(set) var alone: Int?

  /// Decides the next part of the schedule, which is empty at the end of the trace, and may be empty before a stream is
  /// read alone.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func decide() throws {
    repeat { try decideWindow() } while window.decided == 0 && alone == nil && !isAtEnd
  }

  /// Adds the next decided events to a batch; `sequence` is the number of the first.
  func take(_ places: Range<Int>, into batch: inout EventBatch, sequence: UInt64) {
    window.take(places, into: &batch, sequence: sequence)
  }

  private func decideWindow() throws {
    window.discard()
    if !isAtEnd {
      switch try merge.read(Self.fresh, into: window, keeping: keeper) {
      case .full: break
      case .end: isAtEnd = true
      case .alone(let stream): alone = stream
      }
    }
    // An interrupted thread's next event may have happened long before its time.
    if !isAtEnd { try merge.waiting { window.peek($0, keeper?.backtrace(of: $0, $1) ?? .empty) } }
    if let stream = alone, !window.isCalm(stream, for: Self.overlap) { stay() }
    window.decide(overlap: isAtEnd || alone != nil ? 0 : Self.overlap, carryLimit: Self.carryLimit, isAtEnd: isAtEnd)
    // Other events may wait for the stream's.
    if alone != nil, window.decided < window.inside { stay() }
    if alone != nil {
      watched.removeAll()
      try merge.waiting { event, _ in if event.object != 0 { watched.insert(event.object) } }
    }
    guard keeper == nil else { return }
    for place in 0..<window.decided { (memory + place).initialize(to: window.turn(place)) }
    turns = UnsafeBufferPointer(start: memory, count: window.decided)
  }

  /// Reads the current stream's next chunk like any other.
  private func stay() {
    alone = nil
    merge.mayBeAlone = false
  }

  /// The stream that was read alone is at the end of its chunk.
  func endAlone(clock: UInt64) {
    passAlone(clock: clock)
    merge.skipChunk(upTo: clock)
  }

  /// The stream that was read alone has reached another thread's object, after some events of its chunk.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func leaveAlone(after events: Int) throws {
    try merge.enterChunk(at: events)
    passAlone(clock: merge.clock)
  }

  /// Begins the chunk that is read alone.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func beginAlone(_ damage: inout ProblemList) throws { try merge.beginChunk(&damage) }

  /// Adds events of the chunk that is read alone to a batch; false after its last event, or when another thread's
  /// object was reached.
  func fillAlone(_ batch: inout EventBatch, sequence: UInt64, _ damage: inout ProblemList) -> Bool {
    guard let keeper else { return false }
    let (first, before) = (batch.count, merge.clock)
    let end = merge.fill(&batch, sequence: sequence, watching: watched, keeping: keeper)
    switch end {
    case .full: return true
    case .chunkEnd:
      merge.endChunk(&damage)
      passAlone(clock: merge.clock)
    case .watched:
      merge.hold(batch.events[batch.count])
      passAlone(clock: batch.count > first ? batch.events[batch.count - 1].clock : before)
    }
    return false
  }

  private func passAlone(clock: UInt64) {
    if let alone { window.pass(alone, clock: clock, except: watched) }
    alone = nil
  }

  /// Streams that ended without events in the window.
  func takeEnded() -> [Int] { window.takeEnded() }
}
