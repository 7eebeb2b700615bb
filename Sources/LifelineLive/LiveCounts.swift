import LifelineTrace

/// Counts live objects from events that arrive stream by stream rather than in one order of all threads.
///
/// At one address allocations and ends alternate, so an object lives there if the last event is an allocation;
/// `Event.isBirth(after:of:in:)` decides which event is last. So the counts do not depend on the order in which the
/// streams are read, once all are read up to the same moment. Retains are attributed to the class of the object last
/// read at their address.
///
/// Memory: 43 to 86 bytes for each live object and for each that ended since the round before last.
public struct LiveCounts {
  /// The counters of one class.
  struct Counters {
    var allocated = 0
    var live = 0
    /// Live ones of the class's own size, and bytes of the others.
    var plain = 0
    var bytes = 0
    var retains = 0
    var releases = 0
  }

  /// The number of findings that are kept with details.
  static let findingLimit = 1000

  /// By index, with the number of the class's record.
  private(set) var classes: [(record: Int, counters: Counters)] = []
  private var indices: [Int: Int] = [:]
  private var lastClass: (record: Int, index: Int) = (-1, -1)
  private(set) var table = LiveTable()
  private var round: UInt32 = 1
  /// Addresses of objects that ended in the last round and in this one.
  private var endings: [[UInt64]] = [[], []]
  private var needsSweep = false
  /// Problems that the recorder caught, up to `findingLimit`: one for each kind and object.
  public private(set) var caught: [CaughtFinding] = []
  /// The number of all caught problems. After `64 * findingLimit` of them, the same one may count again.
  public private(set) var caughtCount = 0
  /// The kinds of problems of the objects at these addresses.
  private var noted: [UInt64: Set<EventKind>] = [:]
  public private(set) var events = 0
  public private(set) var lastClock: UInt64 = 0

  public init() {}

  /// Takes events of one stream, in order.
  public mutating func take(_ batch: EventBatch, stream: UInt32) {
    for index in 0..<batch.count { take(batch.events[index], stream: stream, site: batch.backtraces[index]) }
  }

  public mutating func take(_ event: Event, stream: UInt32, site: BacktraceID = .empty) {
    events += 1
    if event.clock > lastClock { lastClock = event.clock }
    switch event.kind {
    case .allocate: begin(event, stream, site)
    case .deallocate, .free: end(event, stream)
    case .useAfterFree, .overRelease, .resurrection, .unownedAfterDeinit, .stray: note(event, site)
    default:
      let change = event.strongChange
      guard change != 0, event.object != 0 else { return }
      let place = table.place(of: event.object)
      let owner = table[place].address == 0 ? LiveTable.unknown : table[place].owner
      if owner >= 0 {
        if change > 0 {
          classes[Int(owner)].counters.retains += Int(change)
        } else {
          classes[Int(owner)].counters.releases -= Int(change)
        }
      }
      if change < 0, event.count == 0 { end(event, stream) }
    }
  }

  /// Ends a round: every stream was read up to a moment after the previous call, so what ended before that is
  /// forgotten.
  ///
  /// An end may be read before its allocation, if that was written after its stream had been read; then the allocation
  /// follows in the next round.
  public mutating func endRound() {
    if needsSweep {
      table.sweep(before: round)
      endings = [[], []]
      needsSweep = false
    }
    for address in endings[0] {
      let place = table.place(of: address)
      if table[place].address != 0, !table[place].isLive, table[place].site < round { table.remove(at: place) }
    }
    endings = [endings[1], []]
    round += 1
  }

  private mutating func index(of record: Int) -> Int {
    if lastClass.record == record { return lastClass.index }
    let index = indices[record] ?? classes.count
    if index == classes.count {
      classes.append((record, Counters()))
      indices[record] = index
    }
    lastClass = (record, index)
    return index
  }

  private mutating func begin(_ event: Event, _ stream: UInt32, _ site: BacktraceID) {
    if !noted.isEmpty { noted[event.object] = nil }
    let owner = index(of: Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF))
    classes[owner].counters.allocated += 1
    let size = UInt32(truncatingIfNeeded: event.argument1 & 0x7FFF_FFFF)
    let entry = LiveTable.Entry(
      address: event.object, clock: event.clock, owner: Int32(truncatingIfNeeded: owner), site: site.rawValue,
      stream: stream, size: size)
    let place = table.place(of: event.object)
    let known = table[place]
    if known.address == 0 {
      table.insert(entry, at: place)
    } else {
      // The entry happened later, so this object has already ended.
      guard event.isBirth(after: known.clock, of: known.stream, in: stream) else { return }
      if known.isLive { count(known, by: -1) }
      table[place] = entry
    }
    count(entry, by: 1)
  }

  private mutating func end(_ event: Event, _ stream: UInt32) {
    let place = table.place(of: event.object)
    let known = table[place]
    guard known.address == 0 || event.isEnd(after: known.clock, of: known.stream, in: stream) else { return }
    let entry = LiveTable.Entry(
      address: event.object, clock: event.clock,
      owner: known.address == 0 ? LiveTable.unknown : known.isLive ? ~known.owner : known.owner, site: round,
      stream: stream)
    if known.address == 0 {
      table.insert(entry, at: place)
    } else {
      if known.isLive { count(known, by: -1) }
      table[place] = entry
      // Its address is already noted, because an object ends in up to three events.
      if !known.isLive, known.site == round { return }
    }
    if endings[1].count < 1 << 20 { endings[1].append(event.object) } else { needsSweep = true }
  }

  @inline(__always)
  private mutating func count(_ entry: LiveTable.Entry, by change: Int) {
    classes[Int(entry.owner)].counters.live += change
    if entry.size == 0 {
      classes[Int(entry.owner)].counters.plain += change
    } else {
      classes[Int(entry.owner)].counters.bytes += change * Int(entry.size)
    }
  }

  private mutating func note(_ event: Event, _ site: BacktraceID) {
    guard noted[event.object]?.contains(event.kind) != true else { return }
    if noted.count < 64 * Self.findingLimit { noted[event.object, default: []].insert(event.kind) }
    caughtCount += 1
    guard caught.count < Self.findingLimit else { return }
    let place = table.place(of: event.object)
    let known = table[place]
    let owner = known.address == 0 || known.owner == LiveTable.unknown ? nil : known.isLive ? known.owner : ~known.owner
    caught.append(
      CaughtFinding(kind: event.kind, record: owner.map { classes[Int($0)].record }, object: event.object, site: site))
  }
}
