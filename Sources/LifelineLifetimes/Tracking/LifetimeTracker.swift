import LifelineTrace

/// Folds events into objects in one pass; memory use grows with the addresses in use, not with the events.
///
/// Rules where the order of threads is not certain: allocate and free have exact times, so an address belongs to the
/// object allocated last before an event. An event for an address without an object, or whose object is already freed,
/// is counted in `unattributed` and creates nothing, except that the first event for an address never seen allocated
/// creates an object older than the recording; it has a class if the recorder recorded one.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
public final class LifetimeTracker {
  /// All classes in order of first allocation.
  public var classes: [ClassTotals] { (0..<classNames.count).map(totals) }
  @exclusivity(unchecked) public private(set) var backtraces = BacktraceTable()
  /// Events by kind, indexed by `EventKind.rawValue`, without those that represent a ring's base line.
  public var eventCounts: [UInt64] { (0..<EventKind.limit).map { kinds[$0] &- older[$0] } }
  /// Events that could not be attributed to an object.
  @exclusivity(unchecked) public private(set) var unattributed: UInt64 = 0
  /// Events that the clock put after the free of their object by another thread: a thread may be interrupted between
  /// changing a count and reading the clock.
  @exclusivity(unchecked) public private(set) var reordered: UInt64 = 0
  /// Findings that the probe itself reported, in order.
  @exclusivity(unchecked) public private(set) var accesses: [Access] = []
  @exclusivity(unchecked) public private(set) var lastClock: UInt64 = 0
  /// Where deinits were started.
  @exclusivity(unchecked) public private(set) var finalReleases = FinalReleaseTable()

  /// The first retains by another thread than the one that is running the object's deinit.
  public private(set) var dyingRetains: [DyingRetain] = []
  private static let dyingRetainLimit = 256

  public struct DyingRetain: Sendable {
    public let object: ObjectID
    public let sequence: UInt64
  }

  /// An event by which the probe reports a problem, and the object it concerns.
  public struct Access: Sendable {
    public let event: Event
    public let object: ObjectID
    public let backtrace: BacktraceID
    /// Objects that were live then and may have made the access; empty for a late one or if there are too many.
    public let live: [ObjectID]
    /// The tracked reference that it went through, if source code said so.
    public internal(set) var reference: LostReference?
    /// An object near the code that made the access, with the freed one's address at `Event.sender`'s offset.
    public internal(set) var sender: ObjectID?
  }

  /// Number of accesses for which the live objects are kept, and the maximum number of objects.
  private static let accessesWithLive = 16
  private static let liveLimit = 20_000

  private let records: [Int: ClassRecord]
  @exclusivity(unchecked) private var numbers: ObjectNumbers
  private let older: [UInt64]
  private let olderObjects: [UInt64: Int]
  @exclusivity(unchecked) private var classIndexByID: [Int: Int] = [:]
  @exclusivity(unchecked) private var classIndexByName: [String: Int] = [:]
  @exclusivity(unchecked) private var classNames: [(name: String, size: Int)] = []
  // Plain memory: arrays in a class cost a retain and two checks at every access, which is most of an event.
  @exclusivity(unchecked) private var counters = GrowingBuffer<ClassCounters>()
  @exclusivity(unchecked) private var objects = ObjectTable()
  private let kinds: UnsafeMutablePointer<UInt64>
  @exclusivity(unchecked) private var curve: LiveCurve

  /// `span` is the part of the event clock that curves cover.
  public init(_ trace: Trace, span: Range<UInt64> = 0..<0) {
    records = trace.tables.classes
    olderObjects = trace.tables.olderObjects
    numbers = ObjectNumbers(trace.baseLine)
    older = trace.baseLine?.eventCounts ?? Array(repeating: 0, count: EventKind.limit)
    curve = LiveCurve(span)
    kinds = .allocate(capacity: EventKind.limit)
    kinds.initialize(repeating: 0, count: EventKind.limit)
    for id in numbers.classes { _ = classIndex(id) }
  }

  deinit {
    counters.deallocate()
    objects.deallocate()
    kinds.deallocate()
  }

  private func totals(_ index: Int) -> ClassTotals {
    ClassTotals(
      name: classNames[index].name, instanceSize: classNames[index].size, counters[index],
      liveOverTime: curve.values(ofClass: index, last: counters[index].liveAtExit))
  }

  /// Takes the event that `reader` returned last.
  public func take(_ event: Event, from reader: EventReader) {
    withUnsafePointer(to: event) { take($0, event.keepsBacktrace ? reader.intern(into: &backtraces) : .empty) }
  }

  /// Takes events that were read together.
  func take(_ batch: EventBatch) {
    let events = batch.events
    let kept = batch.backtraces
    for index in 0..<batch.count { objects.prefetch(events[index].object) }
    for index in 0..<batch.count { take(events + index, kept[index]) }
  }

  /// The backtraces of all events that were taken in batches.
  func keep(_ table: BacktraceTable) { backtraces = table }

  /// Takes an event by address: copying one that was just written field by field would wait for each field.
  @inline(__always)
  private func take(_ event: UnsafePointer<Event>, _ backtrace: BacktraceID) {
    kinds[Int(event.pointee.kind.rawValue) & (EventKind.limit - 1)] += 1
    lastClock = event.pointee.clock
    if event.pointee.clock >= curve.next { advanceCurve(to: event.pointee.clock) }
    if event.pointee.object == 0 { return }
    let place = objects.place(of: event.pointee.object)
    if event.pointee.kind == .allocate { return allocate(event, backtrace, at: place) }
    apply(event, backtrace, to: place.pointee.address == 0 ? adopt(event, at: place) : place)
  }

  private func advanceCurve(to clock: UInt64) {
    curve.take(upTo: clock) { counters.elements.map { Int32(truncatingIfNeeded: $0.liveAtExit) } }
  }

  /// Identity of the current (or last) object at an address, or nil.
  public func object(at address: UInt64) -> ObjectID? { objects.find(address).map { id(of: tracked($0.pointee)) } }

  public func id(of object: TrackedObject) -> ObjectID {
    guard object.classIndex >= 0 else { return ObjectID(className: "", number: 0, address: object.address) }
    return ObjectID(
      className: classNames[Int(object.classIndex)].name, number: Int(object.number), address: object.address)
  }

  private func tracked(_ entry: ObjectTable.Entry) -> TrackedObject {
    TrackedObject(entry, objects.allocations[Int(entry.allocation)])
  }

  /// The last result of `liveObjects`, and the number of events it is of.
  private var live: (events: UInt64, objects: [TrackedObject])?

  /// Live objects, in order of allocation, without those older than the recording. O(n log n) the first time after an
  /// event, then O(1).
  public var liveObjects: [TrackedObject] {
    let events = UnsafeBufferPointer(start: kinds, count: EventKind.limit).reduce(0, &+)
    if let live, live.events == events { return live.objects }
    let sorted = objects.all.lazy.filter(Self.isLive).map(tracked).filter { $0.number > 0 }.sorted {
      $0.allocationSequence < $1.allocationSequence
    }
    live = (events, sorted)
    return sorted
  }

  private static func isLive(_ entry: ObjectTable.Entry) -> Bool { entry.state == .live && entry.classIndex >= 0 }

  /// The one of `liveObjects` at an address. O(1).
  public func liveObject(at address: UInt64) -> TrackedObject? {
    guard let entry = objects.find(address)?.pointee, Self.isLive(entry) else { return nil }
    let object = tracked(entry)
    return object.number > 0 ? object : nil
  }

  private func classIndex(_ id: Int) -> Int {
    if let known = classIndexByID[id] { return known }
    let record = records[id]
    let name = record?.name ?? "(class \(id))"
    let index = classIndexByName[name] ?? classNames.count
    if index == classNames.count {
      classNames.append((name, record?.instanceSize ?? 0))
      counters.append(ClassCounters())
      classIndexByName[name] = index
    }
    classIndexByID[id] = index
    let unseen = numbers.unseen(ofClass: id)
    counters[index].allocated &+= unseen
    counters[index].freed &+= unseen
    return index
  }

  private func allocate(
    _ event: UnsafePointer<Event>, _ backtrace: BacktraceID, at place: UnsafeMutablePointer<ObjectTable.Entry>
  ) {
    let event = event.pointee
    let index = classIndex(Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF))
    let isKnown = place.pointee.address != 0
    // Its free was not seen, but the address was reused.
    if isKnown, place.pointee.state < .freed, place.pointee.classIndex >= 0 { end(place) }
    counters[index].allocated &+= 1
    let live = counters[index].liveAtExit
    if live > counters[index].peakLive { counters[index].peakLive = live }
    let size = event.argument1 == 0 ? classNames[index].size : Int(truncatingIfNeeded: event.argument1 & 0x7FFF_FFFF)
    let allocation = ObjectTable.Allocation(
      number: numbers.next() ?? UInt32(truncatingIfNeeded: counters[index].allocated), size: UInt32(size),
      sequence: event.sequence,
      clock: event.clock, thread: event.thread, backtrace: backtrace)
    var entry = ObjectTable.Entry(address: event.object, classIndex: Int32(index))
    if isKnown {
      entry.allocation = place.pointee.allocation
      place.pointee = entry
      objects.allocations[Int(entry.allocation)] = allocation
    } else {
      _ = objects.insert(entry, allocation, at: place)
    }
  }

  /// Adds an object that existed before the recording began.
  private func adopt(_ event: UnsafePointer<Event>, at place: UnsafeMutablePointer<ObjectTable.Entry>)
    -> UnsafeMutablePointer<ObjectTable.Entry>
  {
    var entry = ObjectTable.Entry(address: event.pointee.object)
    if event.pointee.count >= 0 { entry.ledger = event.pointee.count &- event.pointee.strongChange }
    if let id = olderObjects[event.pointee.object] {
      let index = classIndex(id)
      entry.classIndex = Int32(index)
      if event.pointee.kind == .useAfterFree {
        entry.state = .freed
        return objects.insert(entry, ObjectTable.Allocation(), at: place)
      }
      counters[index].older += 1
      let live = counters[index].liveAtExit
      if live > counters[index].peakLive { counters[index].peakLive = live }
    }
    return objects.insert(entry, ObjectTable.Allocation(), at: place)
  }

  private func end(_ object: UnsafeMutablePointer<ObjectTable.Entry>) {
    let owner = Int(object.pointee.classIndex)
    if owner >= 0 {
      leave(object.pointee.state, owner)
      counters[owner].freed += 1
    }
    object.pointee.state = .freed
  }

  private func leave(_ state: ObjectState, _ owner: Int) {
    if state == .deiniting { counters[owner].deiniting -= 1 }
    if state == .deinited { counters[owner].kept -= 1 }
  }

  @inline(__always)
  private func apply(
    _ event: UnsafePointer<Event>, _ backtrace: BacktraceID, to object: UnsafeMutablePointer<ObjectTable.Entry>
  ) {
    switch event.pointee.kind {
    case .retain: count(event, backtrace, object, 1)
    case .release: count(event, backtrace, object, -1)
    case .free:
      if object.pointee.state < .freed { end(object) } else { unattributed += 1 }
      object.pointee.endThread = event.pointee.thread
    case .deallocate:
      if object.pointee.state < .deinited {
        let owner = Int(object.pointee.classIndex)
        if owner >= 0 {
          leave(object.pointee.state, owner)
          counters[owner].kept += 1
        }
        object.pointee.state = .deinited
      }
    case .useAfterFree, .overRelease, .resurrection, .unownedAfterDeinit, .stray: note(event.pointee, backtrace, object)
    case .base: begin(event.pointee, object)
    case .reference where event.pointee.referenceOperation == .lost:
      noteLost(event.pointee)
      count(event, backtrace, object, 0)
    default: count(event, backtrace, object, event.pointee.strongChange)
    }
  }

  /// Begins an object that is older than the kept events.
  private func begin(_ event: Event, _ object: UnsafeMutablePointer<ObjectTable.Entry>) {
    object.pointee.isOlder = true
    guard event.count >= 0 else { return }
    object.pointee.ledger = event.count
    let owner = Int(object.pointee.classIndex)
    guard event.count == 0, object.pointee.state == .live, owner >= 0 else { return }
    object.pointee.state = .deiniting
    counters[owner].deiniting += 1
  }

  private func note(_ event: Event, _ backtrace: BacktraceID, _ object: UnsafeMutablePointer<ObjectTable.Entry>) {
    guard accesses.count < 10_000 else { return }
    let keepsLive = accesses.count < Self.accessesWithLive && objects.count <= Self.liveLimit
    accesses.append(
      Access(
        event: event, object: id(of: tracked(object.pointee)), backtrace: backtrace,
        live: keepsLive ? liveObjects.map(id) : [],
        sender: event.sender.flatMap { objects.find($0.object) }.map { id(of: tracked($0.pointee)) }))
  }

  /// The event after an access names the reference it used.
  private func noteLost(_ event: Event) {
    guard let access = accesses.last?.event, access.object == event.object, access.thread == event.thread else {
      return
    }
    guard let owner = event.referenceOwner.flatMap(objects.find), let strength = event.referenceStrength else { return }
    accesses[accesses.count - 1].reference = LostReference(
      owner: id(of: tracked(owner.pointee)), declaration: Int(truncatingIfNeeded: event.argument1), strength: strength)
  }

  @inline(__always)
  private func count(
    _ event: UnsafePointer<Event>, _ backtrace: BacktraceID, _ object: UnsafeMutablePointer<ObjectTable.Entry>,
    _ change: Int64
  ) {
    let owner = Int(object.pointee.classIndex)
    var ledger = object.pointee.ledger
    if change != 0 {
      if object.pointee.state != .live { changeAfterFinalRelease(event, object, change) }
      if owner >= 0 {
        if change > 0 { counters[owner].retains &+= Int(change) } else { counters[owner].releases &-= Int(change) }
      }
      ledger &+= change
    }
    let recorded = event.pointee.count
    if recorded >= 0, ledger != recorded {
      // A thread may have been interrupted in a change that was dropped with older events; the first time, that is not
      // a gap.
      if object.pointee.isOlder {
        object.pointee.isOlder = false
      } else {
        objects.allocations[Int(object.pointee.allocation)].gaps += 1
        if owner >= 0 { counters[owner].gaps += 1 }
      }
      ledger = recorded
    }
    object.pointee.ledger = ledger
    if recorded == 0, change < 0, object.pointee.state == .live { beginDeinit(event.pointee, backtrace, object) }
  }

  private func changeAfterFinalRelease(
    _ event: UnsafePointer<Event>, _ object: UnsafeMutablePointer<ObjectTable.Entry>, _ change: Int64
  ) {
    let isOther = object.pointee.endThread != event.pointee.thread
    if object.pointee.state == .freed {
      if isOther { reordered += 1 } else { unattributed += 1 }
    } else if isOther, change > 0, object.pointee.state == .deiniting, dyingRetains.count < Self.dyingRetainLimit {
      dyingRetains.append(DyingRetain(object: id(of: tracked(object.pointee)), sequence: event.pointee.sequence))
    }
  }

  private func beginDeinit(_ event: Event, _ backtrace: BacktraceID, _ object: UnsafeMutablePointer<ObjectTable.Entry>)
  {
    object.pointee.state = .deiniting
    object.pointee.endThread = event.thread
    let owner = Int(object.pointee.classIndex)
    guard owner >= 0 else { return }
    counters[owner].deiniting += 1
    finalReleases.add(backtrace) {
      let known = tracked(object.pointee)
      return FinalReleaseTable.Sample(
        object: id(of: known), allocation: known.allocation, thread: event.thread, sequence: event.sequence)
    }
  }
}
