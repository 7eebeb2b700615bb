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

  /// The decided schedule, valid until `decide` is called again.
  @exclusivity(unchecked) private(set) var turns = UnsafeBufferPointer<ScheduledEvent>(start: nil, count: 0)

  private let merge: ClockMerge
  private let window: OrderWindow
  private let memory: UnsafeMutablePointer<ScheduledEvent>
  /// The maximum number of turns decided at once.
  let capacity: Int
  @exclusivity(unchecked) private var isAtEnd = false

  /// For a trace of at most `events` events; a short one needs less memory. `orders` has what an earlier reading
  /// decided.
  init(_ merge: ClockMerge, streams: Int, events: Int, orders: DecidedOrders) {
    self.merge = merge
    capacity = min(Self.fresh + Self.carryLimit, events) + streams
    window = OrderWindow(capacity: capacity, streams: streams, orders: orders)
    memory = .allocate(capacity: capacity)
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
    repeat { try decideWindow() } while turns.isEmpty && alone == nil && !isAtEnd
  }

  private func decideWindow() throws {
    window.discard()
    if !isAtEnd {
      switch try merge.read(Self.fresh, into: window) {
      case .full: break
      case .end: isAtEnd = true
      case .alone(let stream): alone = stream
      }
    }
    // An interrupted thread's next event may have happened long before its time.
    if !isAtEnd { try merge.waiting(window.peek) }
    if let stream = alone, !window.isCalm(stream, for: Self.overlap) { stay() }
    window.decide(overlap: isAtEnd || alone != nil ? 0 : Self.overlap, carryLimit: Self.carryLimit, isAtEnd: isAtEnd)
    // Other events may wait for the stream's.
    if alone != nil, window.decided < window.inside { stay() }
    if alone != nil {
      watched.removeAll()
      try merge.waiting { if $0.object != 0 { watched.insert($0.object) } }
    }
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
    if let alone { window.pass(alone, clock: clock, except: watched) }
    alone = nil
    merge.skipChunk()
  }

  /// The stream that was read alone has reached another thread's object, after some events of its chunk.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func leaveAlone(after events: Int) throws {
    try merge.enterChunk(at: events)
    if let alone { window.pass(alone, clock: merge.clock, except: watched) }
    alone = nil
  }

  /// Streams that ended without events in the window.
  func takeEnded() -> [Int] { window.takeEnded() }
}
