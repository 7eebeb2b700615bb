/// About ten thousand events of several threads, and the order in which they are returned.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class OrderWindow {
  struct Record {
    let object: UInt64
    let clock: UInt64
    let step: CountStep
    let stream: Int32
    /// The thread's last known time before the event.
    let earliest: UInt64
    /// The thread's next known time, its own for an event with a time; `max` if it is beyond the window.
    var latest: UInt64 = .max
    /// Index in `objects`, or -1.
    var owner: Int32 = -1
    /// The previous record of the same object by the clocks, or -1.
    var previous: Int32 = -1
    /// A record of another thread that comes before it, or -1.
    var predecessor: Int32 = -1
    /// The thread's next record, or -1.
    var successor: Int32 = -1
    /// The first record that can only be placed after this one, and the next one of those; -1 for none.
    var firstBlocked: Int32 = -1
    var nextBlocked: Int32 = -1
    /// Whether it is one of those.
    var isBlocked = false
    /// Whether it is peeked at, and nothing has required it so far.
    var isAside = false
    let isTimed: Bool
    var endsStream = false
    /// Whether it is beyond the window and only placed if another event must come after it.
    var isPeeked = false
    /// Whether it stays for the next window, because other threads may still come before it.
    var waits = false
    var isPlaced = false
  }

  private struct Stream {
    /// The last known time, `max` before the first event.
    var clock = UInt64.max
    /// Its last record in the window, or -1.
    var last: Int32 = -1
    /// Whether its next event was already returned.
    var isAhead = false
  }

  /// The facts about one object in the window's events.
  struct Object {
    let address: UInt64
    /// Count before the window's first event.
    let start: Int32
    var state: Int32
    var last: Int32 = -1
    /// Its number among the objects examined together, or -1.
    var number: Int32 = -1
    /// Whether it has events of several threads.
    var isShared = false
    /// Whether an event does not follow from the previous one by the clocks.
    var isBroken = false
    var isCarried = false
    /// Whether no order was found in which all its events follow.
    var isUnresolved = false
  }

  @exclusivity(unchecked) private(set) var count = 0
  /// Records of the window itself; later ones are peeked at.
  @exclusivity(unchecked) private(set) var inside = 0
  /// Number of records at the front of the order that are decided.
  @exclusivity(unchecked) var decided = 0
  let records: UnsafeMutablePointer<Record>
  let order: UnsafeMutablePointer<Int32>
  let objects: UnsafeMutablePointer<Object>
  /// The records' events, if they are returned from here.
  let events: WindowEvents?
  /// Where an event is decoded that is not kept here.
  private let passing: UnsafeMutablePointer<Event>
  @exclusivity(unchecked) var objectCount = 0
  /// Remaining breaks of objects examined separately, and the clock error that explains the others.
  @exclusivity(unchecked) var unresolved = 0
  /// The time up to which all events are known.
  @exclusivity(unchecked) private(set) var lastKnownTime = UInt64.max
  @exclusivity(unchecked) var clockError: UInt64 = 0
  /// Remaining dead ends in this window.
  @exclusivity(unchecked) var backtrackLimit = 0
  /// Dead ends so far in this window.
  @exclusivity(unchecked) var deadEnds = 0
  /// Windows with many dead ends, minus those without.
  @exclusivity(unchecked) var failures = 0
  private static let manyDeadEnds = 2_000
  /// Dead ends that take as long as everything else about a window.
  private static let costlyDeadEnds = 200
  let orders: DecidedOrders
  /// Windows decided so far.
  @exclusivity(unchecked) private(set) var number = 0
  /// First record of each stream in the window.
  @exclusivity(unchecked) var firsts: [Int32] = []
  /// The lane of each stream in a search, -1 between searches.
  let lanes: UnsafeMutableBufferPointer<Int32>
  private let table: UnsafeMutablePointer<Int32>
  private let tableMask: Int
  @exclusivity(unchecked) private var carried = 0
  private let kept: UnsafeMutablePointer<Record>
  /// Counts at the beginning of the next window.
  @exclusivity(unchecked) private var starts: [(address: UInt64, count: Int32)] = []
  private let streams: UnsafeMutableBufferPointer<Stream>
  @exclusivity(unchecked) private var ended: [Int] = []
  /// The latest time that was returned.
  @exclusivity(unchecked) private var now: UInt64 = 0

  /// A window for at most `capacity` events of `streams` streams. `orders` has what an earlier reading decided.
  init(capacity: Int, streams: Int, orders: DecidedOrders, keepsEvents: Bool) {
    self.orders = orders
    events = keepsEvents ? WindowEvents(capacity: capacity) : nil
    passing = .allocate(capacity: 1)
    passing.initialize(to: Event())
    records = .allocate(capacity: capacity)
    kept = .allocate(capacity: capacity)
    order = .allocate(capacity: capacity)
    objects = .allocate(capacity: capacity * 2)
    var size = 1
    while size < capacity * 4 { size *= 2 }
    table = .allocate(capacity: size)
    tableMask = size - 1
    self.streams = .allocate(capacity: streams)
    self.streams.initialize(repeating: Stream())
    lanes = .allocate(capacity: streams)
    lanes.initialize(repeating: -1)
  }

  deinit {
    records.deallocate()
    passing.deallocate()
    events?.deallocate()
    kept.deallocate()
    order.deallocate()
    objects.deallocate()
    table.deallocate()
    streams.deallocate()
    lanes.deallocate()
  }

  /// Records that were added since the last decision.
  var fresh: Int { inside - carried }

  /// Where the next event is decoded before it is added.
  @inline(__always)
  var room: UnsafeMutablePointer<Event> { events.map { $0.events + count } ?? passing }

  /// Adds the next event in clock order, which is in `room`.
  @inline(__always)
  func append(_ event: UnsafePointer<Event>, _ backtrace: BacktraceID) {
    let stream = streams.baseAddress! + event.pointee.stream
    if stream.pointee.isAhead {
      stream.pointee.isAhead = false
    } else {
      add(event, backtrace)
      stream.pointee.last = Int32(inside)
      inside = count
    }
    stream.pointee.clock = event.pointee.clock
  }

  /// Adds the next event of a stream whose turn has not come in clock order.
  func peek(_ event: Event, _ backtrace: BacktraceID) {
    guard !streams[event.stream].isAhead else { return }
    room.pointee = event
    add(room, backtrace)
    records[count - 1].isPeeked = true
  }

  @inline(__always)
  private func add(_ event: UnsafePointer<Event>, _ backtrace: BacktraceID) {
    let last = streams[event.pointee.stream].clock
    // A thread changes its first count before it has a stream, but it detects a use after free with one.
    let first = event.pointee.kind == .useAfterFree ? event.pointee.clock : 0
    (records + count).initialize(
      to: Record(
        object: event.pointee.object, clock: event.pointee.clock, step: CountStep(event.pointee),
        stream: Int32(truncatingIfNeeded: event.pointee.stream),
        earliest: last == .max ? first : last, isTimed: last != event.pointee.clock))
    if let events { events.backtraces[count] = backtrace }
    count += 1
  }

  /// No more events of a stream will be added.
  func end(_ stream: Int) {
    if streams[stream].last >= 0 { records[Int(streams[stream].last)].endsStream = true } else { ended.append(stream) }
  }

  func takeEnded() -> [Int] {
    defer { ended.removeAll() }
    return ended
  }

  /// Whether the last events are all of one stream, so that earlier events of others would have appeared by now.
  func isCalm(_ stream: Int, for events: Int) -> Bool {
    inside == 0 || inside >= events && (inside - events..<inside).allSatisfy { records[$0].stream == stream }
  }

  /// A stream continued outside of the window. Its effect on counts is unknown, except that it did not touch some
  /// objects.
  func pass(_ stream: Int, clock: UInt64, except untouched: AddressFilter) {
    streams[stream].clock = clock
    now = max(now, clock)
    starts.removeAll { !untouched.contains($0.address) }
  }

  /// The event at a position in the order. An event without a time happened after all that were returned before it.
  func turn(_ place: Int) -> EventOrdering.ScheduledEvent {
    let record = records[Int(order[place])]
    let clock = record.isTimed ? record.clock : min(max(record.clock, now), record.latest)
    // The time of an event returned early was read later than others happened.
    if record.isTimed, !record.isPeeked { now = max(now, clock) }
    return EventOrdering.ScheduledEvent(stream: Int(record.stream), clock: clock, endsStream: record.endsStream)
  }

  /// Adds the events at some positions in the order to a batch, if events are kept; `sequence` is the number of the
  /// first.
  func take(_ places: Range<Int>, into batch: inout EventBatch, sequence: UInt64) {
    guard let events else { return }
    var (event, backtrace, sequence) = (batch.events + batch.count, batch.backtraces + batch.count, sequence)
    for place in places {
      let index = index(place)
      event.pointee = events.events[index]
      event.pointee.clock = turn(place).clock
      event.pointee.sequence = sequence
      backtrace.pointee = events.backtraces[index]
      (event, backtrace, sequence) = (event + 1, backtrace + 1, sequence + 1)
    }
    batch.count += places.count
  }

  /// The record at a position in the order.
  @inline(__always)
  func index(_ place: Int) -> Int { Int(order[place]) }

  /// Removes the returned records.
  func discard() {
    carried = 0
    for place in 0..<decided where records[Int(order[place])].isPeeked {
      streams[Int(records[Int(order[place])].stream)].isAhead = true
    }
    for place in decided..<count where !records[Int(order[place])].isPeeked {
      kept[carried] = records[Int(order[place])]
      events?.carry(Int(order[place]), to: carried)
      carried += 1
    }
    for stream in streams.indices { streams[stream].last = -1 }
    for index in 0..<carried {
      records[index] = kept[index]
      records[index].isPlaced = false
      records[index].waits = false
      streams[Int(records[index].stream)].last = Int32(index)
    }
    events?.beginWindow(carried)
    count = carried
    inside = carried
    decided = 0
  }

  /// Decides the order of the window's records; `overlap` records are kept, and at most `carryLimit`.
  func decide(overlap: Int, carryLimit: Int, isAtEnd: Bool) {
    lastKnownTime = isAtEnd || inside == 0 ? .max : records[inside - 1].clock
    link()
    findLatestTimes()
    defer {
      number += 1
      rememberStarts()
    }
    if recall() { return }
    decideAnew(overlap: overlap, carryLimit: carryLimit)
    if deadEnds > Self.costlyDeadEnds { keep() }
  }

  private func decideAnew(overlap: Int, carryLimit: Int) {
    let isMoved = resolve(overlap: overlap)
    let waits = keepWaiting()
    var arranged = isMoved || waits ? arrange() : keepOrder()
    decide(arranged, overlap)
    let breaks = isMoved ? breaksDecided() : 0
    if breaks > unresolved {
      let former = links()
      resolveTogether(overlap: overlap)
      _ = keepWaiting()
      arranged = arrange()
      decide(arranged, overlap)
      if breaksDecided() > breaks {
        restore(former)
        _ = keepWaiting()
        arranged = arrange()
        decide(arranged, overlap)
      }
    }
    failures = deadEnds > Self.manyDeadEnds ? failures + 1 : max(0, failures - 1)
    if inside - arranged > carryLimit {
      for index in 0..<count { records[index].waits = false }
      decide(arrange(), overlap)
    }
  }

  private func decide(_ arranged: Int, _ overlap: Int) {
    decided = max(0, arranged - max(0, overlap - max(0, inside - arranged)))
  }

  /// The current predecessors, so that they can be restored.
  private func links() -> (records: [(Int32, Int32)], last: [Int32]) {
    ((0..<count).map { (records[$0].predecessor, records[$0].previous) }, (0..<objectCount).map { objects[$0].last })
  }

  private func restore(_ links: (records: [(Int32, Int32)], last: [Int32])) {
    for index in 0..<count { (records[index].predecessor, records[index].previous) = links.records[index] }
    for index in 0..<objectCount { objects[index].last = links.last[index] }
  }

  /// Links every record to its object, and to its neighbors of the same object and of the same stream.
  private func link() {
    table.initialize(repeating: -1, count: tableMask + 1)
    objectCount = 0
    firsts.removeAll(keepingCapacity: true)
    for start in starts { _ = object(start.address, start: start.count) }
    for stream in streams.indices { streams[stream].last = -1 }
    for index in 0..<count {
      let record = records + index
      let stream = Int(record.pointee.stream)
      record.pointee.successor = -1
      if streams[stream].last < 0 {
        firsts.append(Int32(index))
      } else {
        records[Int(streams[stream].last)].successor = Int32(index)
      }
      streams[stream].last = Int32(index)
      record.pointee.predecessor = -1
      record.pointee.owner = -1
      if record.pointee.object == 0 { continue }
      let owner = object(record.pointee.object, start: CountStep.unknown)
      let object = objects + owner
      record.pointee.owner = Int32(owner)
      record.pointee.previous = object.pointee.last
      if object.pointee.last >= 0, records[Int(object.pointee.last)].stream != record.pointee.stream {
        record.pointee.predecessor = object.pointee.last
        object.pointee.isShared = true
      }
      object.pointee.last = Int32(index)
      if record.pointee.isPeeked { continue }
      if !record.pointee.step.follows(object.pointee.state) { object.pointee.isBroken = true }
      object.pointee.state = record.pointee.step.result(object.pointee.state)
    }
  }

  @inline(__always)
  private func object(_ address: UInt64, start: Int32) -> Int {
    var slot = SlotHash.of(address) & tableMask
    while table[slot] >= 0 {
      if objects[Int(table[slot])].address == address { return Int(table[slot]) }
      slot = (slot + 1) & tableMask
    }
    table[slot] = Int32(objectCount)
    (objects + objectCount).initialize(to: Object(address: address, start: start, state: start))
    objectCount += 1
    return objectCount - 1
  }

  private func findLatestTimes() {
    var next = [UInt64](repeating: .max, count: streams.count)
    for index in (0..<count).reversed() {
      let stream = Int(records[index].stream)
      if records[index].isTimed { next[stream] = records[index].clock }
      records[index].latest = next[stream]
    }
  }

  /// Counts after the returned records, for objects that the next window may need.
  private func rememberStarts() {
    for index in 0..<objectCount { objects[index].state = objects[index].start }
    for place in 0..<decided {
      let record = records + Int(order[place])
      if record.pointee.owner < 0 { continue }
      let object = objects + Int(record.pointee.owner)
      object.pointee.state = record.pointee.step.result(object.pointee.state)
    }
    for place in decided..<count {
      let owner = records[Int(order[place])].owner
      if owner >= 0 { objects[Int(owner)].isCarried = true }
    }
    starts.removeAll(keepingCapacity: true)
    for index in 0..<objectCount where objects[index].isCarried || objects[index].isShared {
      if objects[index].state != CountStep.unknown { starts.append((objects[index].address, objects[index].state)) }
    }
  }
}
