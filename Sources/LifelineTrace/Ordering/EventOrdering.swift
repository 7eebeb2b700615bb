/// Brings the events of several threads into the order that the counts of their objects prove.
///
/// It reads ahead of the `EventReader` by a window of events, merged by the clocks. Where every event of an object
/// finds the count that the one before it left, that order stays. Where one does not, the object's events in the window
/// are put in an order in which they do (`LinearizationSearch`): clocks of two cores may disagree, a thread may be
/// interrupted between changing a count and reading the clock, and events without a time are known to lie between two
/// times only. Then all events are merged again, so that each thread's own order and the order of every object's events
/// are kept. A thread's event without a time on an object that others use waits until its time is over or another
/// event's count requires it.
///
/// An event costs one lookup in a table of the window's objects; only shared objects cost more.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class EventOrdering {
  /// The stream whose event comes next, and the earliest time at which it happened.
  struct ScheduledEvent {
    let stream: Int
    let clock: UInt64
    let endsStream: Bool
  }

  /// Events read at a time, and how many stay to be examined again with the next ones.
  static let fresh = 8_192
  static let overlap = 1_024
  private static let carryLimit = 4_096

  var problems: [String] { merge.problems }

  /// The decided schedule, valid until `decide` is called again.
  @exclusivity(unchecked) private(set) var turns = UnsafeBufferPointer<ScheduledEvent>(start: nil, count: 0)

  private let merge: ClockMerge
  private let window: OrderWindow
  private let memory: UnsafeMutablePointer<ScheduledEvent>
  /// The most turns that are decided at once.
  let capacity: Int
  @exclusivity(unchecked) private var isAtEnd = false

  init(_ merge: ClockMerge, streams: Int) {
    self.merge = merge
    capacity = Self.fresh + Self.carryLimit + streams
    window = OrderWindow(capacity: capacity, streams: streams)
    memory = .allocate(capacity: capacity)
  }

  deinit { memory.deallocate() }

  /// Objects that another stream's pending event also touches; reading alone stops when one is met.
  let watched = AddressFilter()
  /// The stream that is read alone for a chunk once the schedule is used up.
  @exclusivity(unchecked) private(set) var alone: Int?

  /// Decides the next part of the schedule; it is empty at the end of the trace, and may be empty before a stream is
  /// read alone.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
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
    // An interrupted thread's next event may have happened long before the time that it carries.
    if !isAtEnd { try merge.waiting(window.peek) }
    if let stream = alone, !window.isCalm(stream, for: Self.overlap) { stay() }
    window.decide(overlap: isAtEnd || alone != nil ? 0 : Self.overlap, carryLimit: Self.carryLimit, isAtEnd: isAtEnd)
    // Something may wait for what the stream does.
    if alone != nil, window.decided < window.inside { stay() }
    if alone != nil {
      watched.removeAll()
      try merge.waiting { if $0.object != 0 { watched.insert($0.object) } }
    }
    for place in 0..<window.decided { (memory + place).initialize(to: window.turn(place)) }
    turns = UnsafeBufferPointer(start: memory, count: window.decided)
  }

  /// The current stream's next chunk is read like any other.
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

  /// The stream that was read alone has reached an object of others, after some events of its chunk.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  func leaveAlone(after events: Int) throws {
    try merge.enterChunk(at: events)
    if let alone { window.pass(alone, clock: merge.clock, except: watched) }
    alone = nil
  }

  /// Streams that ended while nothing of theirs was in the window.
  func takeEnded() -> [Int] { window.takeEnded() }
}
