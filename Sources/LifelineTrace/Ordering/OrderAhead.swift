/// The decisions of an `EventOrdering`, made ahead of their use by a separate thread, if there is one.
///
/// The decisions are the same either way. While a stream is read alone there is nothing to decide, and the thread waits
/// for how far that went.
final class OrderAhead {
  private final class Decision {
    let turns: UnsafeMutablePointer<EventOrdering.ScheduledEvent>
    var count = 0
    var ended: [Int] = []
    var alone: Int?
    var problems: [String] = []
    var error: (any Error)?

    init(capacity: Int) { turns = .allocate(capacity: capacity) }

    deinit { turns.deallocate() }
  }

  private static let decisionsAhead = 3

  @exclusivity(unchecked) private(set) var turns = UnsafeBufferPointer<EventOrdering.ScheduledEvent>(
    start: nil, count: 0)
  /// The stream that is read alone for a chunk after the schedule.
  @exclusivity(unchecked) private(set) var alone: Int?
  /// Objects that another stream's pending event also touches; reading alone stops when one is met.
  var watched: AddressFilter { ordering.watched }
  private(set) var problems: [String] = []

  private let ordering: EventOrdering
  private var ended: [Int] = []
  private var ring: BufferRing<Decision>?
  private var thread: ReadingThread?
  /// The decision whose turns are in use.
  private var current: Decision?

  init(_ ordering: EventOrdering, onThread isAhead: Bool) {
    self.ordering = ordering
    guard isAhead else { return }
    let ring = BufferRing((0..<Self.decisionsAhead).map { _ in Decision(capacity: ordering.capacity) })
    thread = ReadingThread { Self.decideAll(ordering, ring) }
    self.ring = thread == nil ? nil : ring
  }

  deinit {
    ring?.stop()
    thread?.join()
  }

  private static func decideAll(_ ordering: EventOrdering, _ ring: BufferRing<Decision>) {
    while let decision = ring.nextEmpty() {
      do { try ordering.decide() } catch { decision.error = error }
      decision.count = decision.error == nil ? ordering.turns.count : 0
      if let first = ordering.turns.baseAddress { decision.turns.update(from: first, count: decision.count) }
      decision.ended = ordering.takeEnded()
      decision.alone = ordering.alone
      decision.problems = ordering.problems
      let isLast = decision.error != nil || decision.count == 0 && decision.alone == nil
      ring.handOver(pause: decision.alone != nil)
      if isLast { return }
    }
  }

  /// Decides the next turns; there are none at the end of the trace, and there may be none before a stream is read
  /// alone.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func decide() throws {
    guard let ring else {
      defer { problems = ordering.problems }
      try ordering.decide()
      (turns, alone, ended) = (ordering.turns, ordering.alone, ordering.takeEnded())
      return
    }
    if let current {
      if let error = current.error { throw error }
      if current.count == 0, current.alone == nil { return }
      ring.giveBack()
    }
    let decision = ring.nextFilled()
    current = decision
    problems = decision.problems
    turns = UnsafeBufferPointer(start: decision.turns, count: decision.count)
    (alone, ended) = (decision.alone, decision.ended)
    if let error = decision.error { throw error }
  }

  /// Streams that ended without events in the window.
  func takeEnded() -> [Int] {
    defer { ended = [] }
    return ended
  }

  /// The stream that was read alone is at the end of its chunk.
  func endAlone(clock: UInt64) {
    ordering.endAlone(clock: clock)
    goOn()
  }

  /// The stream that was read alone has reached another thread's object, after some events of its chunk.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func leaveAlone(after events: Int) throws {
    defer { goOn() }
    try ordering.leaveAlone(after: events)
  }

  private func goOn() {
    problems = ordering.problems
    alone = nil
    ring?.goOn()
  }
}
