import LifelineTrace

/// Folds events into objects, in one pass; the memory grows with the addresses in use, not with the events.
///
/// Rules where the order of threads leaves room: allocate and free carry exact times, so an address belongs to
/// the object allocated last before an event. An event for an address with no object, or whose object is
/// already freed, is counted in `unattributed` and creates nothing, except that the first event for an address
/// never seen allocated makes an object without a class: it is older than the recording.
public final class LifetimeTracker {
  /// All classes in order of first allocation.
  public var classes: [ClassTotals] { (0..<classNames.count).map(totals) }
  public private(set) var backtraces = BacktraceTable()
  /// Events by kind, indexed by `EventKind.rawValue`.
  public var eventCounts: [UInt64] { (0..<32).map { kinds[$0] } }
  /// Events that could not be given to an object.
  public private(set) var unattributed: UInt64 = 0
  /// Events that the clock put after the free of their object, which another thread did: a thread may be
  /// interrupted between changing a count and reading the clock.
  public private(set) var reordered: UInt64 = 0
  /// Findings that the probe itself reported, in order.
  public private(set) var accesses: [Access] = []
  public private(set) var lastClock: UInt64 = 0
  /// Where deinits were started.
  public private(set) var finalReleases = FinalReleaseTable()

  /// An event by which the probe reports something wrong, and the object it concerns.
  public struct Access: Sendable {
    public let event: Event
    public let object: ObjectID
    public let backtrace: BacktraceID
    /// Objects that were live then, of those that may have made the access; none for a late or crowded one.
    public let live: [ObjectID]
    /// The tracked reference that it went through, if source code said so.
    public internal(set) var reference: LostReference?
  }

  /// Accesses for which the live objects are kept, and how many objects at most.
  private static let accessesWithLive = 16
  private static let liveLimit = 20_000

  private let records: [Int: ClassRecord]
  private var classIndexByID: [Int: Int] = [:]
  private var classIndexByName: [String: Int] = [:]
  private var classNames: [(name: String, size: Int)] = []
  // Plain memory: arrays in a class cost a retain and two checks at every touch, which is most of an event.
  private var counters = GrowingBuffer<ClassCounters>()
  private var objects = GrowingBuffer<TrackedObject>()
  private let kinds: UnsafeMutablePointer<UInt64>
  private var table = AddressTable()
  private var lastAddress: UInt64 = 0
  private var lastIndex = -1
  private var curve: LiveCurve

  /// `span` is the part of the event clock that curves are made of.
  public init(classes: [Int: ClassRecord], span: Range<UInt64> = 0..<0) {
    records = classes
    curve = LiveCurve(span)
    kinds = .allocate(capacity: 32)
    kinds.initialize(repeating: 0, count: 32)
  }

  deinit {
    table.deallocate()
    counters.deallocate()
    objects.deallocate()
    kinds.deallocate()
  }

  private func totals(_ index: Int) -> ClassTotals {
    ClassTotals(
      name: classNames[index].name, instanceSize: classNames[index].size, counters[index],
      liveOverTime: curve.values(ofClass: index, last: counters[index].liveAtExit))
  }

  /// Takes the event that `reader` gave last.
  public func take(_ event: Event, from reader: EventReader) {
    kinds[Int(event.kind.rawValue) & 31] += 1
    lastClock = event.clock
    if event.clock >= curve.next { curve.take(upTo: event.clock) { counters.elements.map { Int32(truncatingIfNeeded: $0.liveAtExit) } } }
    if event.object == 0 { return }
    if event.kind == .allocate { return allocate(event, reader) }
    var index = event.object == lastAddress ? lastIndex : table.find(event.object)
    if index < 0 { index = adopt(event) }
    lastAddress = event.object
    lastIndex = index
    apply(event, to: index, reader)
  }

  /// Identity of the object that an address belongs to now (or belonged to last), or nil.
  public func object(at address: UInt64) -> ObjectID? {
    let index = table.find(address)
    return index < 0 ? nil : id(of: objects[index])
  }

  public func id(of object: TrackedObject) -> ObjectID {
    guard object.classIndex >= 0 else { return ObjectID(className: "", number: 0, address: object.address) }
    return ObjectID(className: classNames[Int(object.classIndex)].name, number: Int(object.number), address: object.address)
  }

  /// Objects that are live, in order of allocation; those older than the recording are left out.
  public var liveObjects: [TrackedObject] {
    objects.elements.filter { $0.state == .live && $0.classIndex >= 0 }.sorted { $0.allocationSequence < $1.allocationSequence }
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
    return index
  }

  private func allocate(_ event: Event, _ reader: EventReader) {
    let index = classIndex(Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF))
    let place = table.find(event.object)
    if place >= 0, objects[place].state < .freed, objects[place].classIndex >= 0 {
      // Its free was not seen: the address would not have been given out otherwise.
      end(place)
    }
    counters[index].allocated += 1
    let live = counters[index].liveAtExit
    if live > counters[index].peakLive { counters[index].peakLive = live }
    let size = event.argument1 == 0 ? classNames[index].size : Int(truncatingIfNeeded: event.argument1 & 0x7FFF_FFFF)
    let object = TrackedObject(
      address: event.object, classIndex: Int32(index), number: UInt32(truncatingIfNeeded: counters[index].allocated),
      size: UInt32(size), allocationSequence: event.sequence, allocationClock: event.clock,
      allocationThread: event.thread, allocation: reader.intern(into: &backtraces))
    if place >= 0 {
      objects[place] = object
      lastIndex = place
    } else {
      objects.append(object)
      lastIndex = objects.count - 1
      table.set(event.object, to: lastIndex)
    }
    lastAddress = event.object
  }

  /// An object that was there before the recording began.
  private func adopt(_ event: Event) -> Int {
    var object = TrackedObject(
      address: event.object, classIndex: -1, number: 0, size: 0, allocationSequence: 0, allocationClock: 0,
      allocationThread: 0, allocation: .empty)
    object.ledger = event.count >= 0 ? event.count &- event.strongChange : 1
    objects.append(object)
    table.set(event.object, to: objects.count - 1)
    return objects.count - 1
  }

  private func end(_ index: Int) {
    let owner = Int(objects[index].classIndex)
    guard owner >= 0 else {
      objects[index].state = .freed
      return
    }
    leave(objects[index].state, owner)
    counters[owner].freed += 1
    objects[index].state = .freed
  }

  private func leave(_ state: ObjectState, _ owner: Int) {
    if state == .deiniting { counters[owner].deiniting -= 1 }
    if state == .deinited { counters[owner].kept -= 1 }
  }

  private func apply(_ event: Event, to index: Int, _ reader: EventReader) {
    switch event.kind {
    case .free:
      if objects[index].state < .freed { end(index) } else { unattributed += 1 }
      objects[index].freeThread = event.thread
    case .deallocate:
      if objects[index].state < .deinited {
        let owner = Int(objects[index].classIndex)
        if owner >= 0 {
          leave(objects[index].state, owner)
          counters[owner].kept += 1
        }
        objects[index].state = .deinited
      }
    case .useAfterFree, .overRelease, .resurrection, .unownedAfterDeinit, .stray:
      if accesses.count < 10_000 {
        accesses.append(
          Access(
            event: event, object: id(of: objects[index]), backtrace: reader.intern(into: &backtraces),
            live: accesses.count < Self.accessesWithLive && objects.count <= Self.liveLimit ? liveObjects.map(id) : []))
      }
    case .reference where event.referenceOperation == .lost:
      noteLost(event)
      count(event, index, reader)
    default: count(event, index, reader)
    }
  }

  /// Which reference an access went through is told right after it.
  private func noteLost(_ event: Event) {
    guard let access = accesses.last?.event, access.object == event.object, access.thread == event.thread else { return }
    let place = event.referenceOwner.map(table.find) ?? -1
    guard place >= 0, let strength = event.referenceStrength else { return }
    accesses[accesses.count - 1].reference = LostReference(
      owner: id(of: objects[place]), declaration: Int(truncatingIfNeeded: event.argument1), strength: strength)
  }

  @inline(__always)
  private func count(_ event: Event, _ index: Int, _ reader: EventReader) {
    let change = event.strongChange
    let owner = Int(objects[index].classIndex)
    if change != 0 {
      if objects[index].state == .freed {
        if objects[index].freeThread == event.thread { unattributed += 1 } else { reordered += 1 }
      }
      if owner >= 0 {
        if change > 0 { counters[owner].retains &+= Int(change) } else { counters[owner].releases &-= Int(change) }
      }
      objects[index].ledger &+= change
    }
    guard event.count >= 0 else { return }
    if objects[index].ledger != event.count {
      objects[index].gaps += 1
      objects[index].ledger = event.count
      if owner >= 0 { counters[owner].gaps += 1 }
    }
    if event.count == 0, change < 0, objects[index].state == .live {
      objects[index].state = .deiniting
      if owner >= 0 {
        counters[owner].deiniting += 1
        finalReleases.add(reader.intern(into: &backtraces)) {
          FinalReleaseTable.Sample(object: id(of: objects[index]), thread: event.thread, sequence: event.sequence)
        }
      }
    }
  }
}
