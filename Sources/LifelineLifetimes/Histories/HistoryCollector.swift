import LifelineTrace

/// Adds events to the histories of selected objects, and tracks which objects are dying.
///
/// Every event of a trace passes here, so objects are found in plain memory, as in `LifetimeTracker`.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class HistoryCollector {
  private struct Open {
    let id: ObjectID
    var rows: [HistoryRow] = []
    var ledger: Int64 = 1
    var deiniting = false
    var toleratesGap = false
    /// Events so far, including omitted ones.
    var events = 0
    var isCut = false
    /// Of objects that ended in this one's deinit, the indices of their classes' names.
    var endedWithin: Set<Int32> = []
    /// The number of rows at which they are checked again.
    var limit: Int
  }

  private let wanted: Set<ObjectID>
  /// Where they are; everywhere if the address of one is unknown.
  let addresses: BloomFilter
  private let addressBits: BloomFilter.Bits
  let knowsAddresses: Bool
  private let rowLimit: Int
  private let olderObjects: [UInt64: Int]
  @exclusivity(unchecked) private var wantedAddresses: Set<UInt64>
  private let classes: [Int: ClassRecord]
  @exclusivity(unchecked) private var numbers: ObjectNumbers
  private struct ClassName {
    let name: String
    let isWanted: Bool
    let isWatched: Bool
    let isContext: Bool
  }

  @exclusivity(unchecked) private var names: [ClassName] = []
  @exclusivity(unchecked) private var nameIndices: [Int: Int32] = [:]
  @exclusivity(unchecked) private var nameIndicesByName: [String: Int32] = [:]
  /// Objects allocated so far, by index of the name.
  @exclusivity(unchecked) private var counts = GrowingBuffer<UInt32>()
  @exclusivity(unchecked) private var residents = ResidentTable()
  @exclusivity(unchecked) private var all: [Open] = []
  /// The collected histories of current or last objects, by address.
  @exclusivity(unchecked) private var collected: [UInt64: Int] = [:]
  /// Selected objects that have not been freed yet.
  @exclusivity(unchecked) private(set) var unfinished: Int
  @exclusivity(unchecked) private var dying = DyingObjects()
  /// Of the current or last closure context at each address: its number among these, and the event that created it.
  @exclusivity(unchecked) private var contexts = AddressTable()
  @exclusivity(unchecked) private var contextCreations = GrowingBuffer<Moment>()

  private let watched: Set<String>
  /// The numbers of the watched classes; nil if there are none.
  var watchedClasses: BloomFilter? {
    let numbers = classes.filter { watched.contains($0.value.name) }.keys.map { UInt64(truncatingIfNeeded: $0) }
    return numbers.isEmpty ? nil : BloomFilter(numbers)
  }
  /// Objects of the watched classes, in order of allocation; nil if there were too many.
  @exclusivity(unchecked) private(set) var presences: [Presence]? = []
  /// Those that exist, by address.
  @exclusivity(unchecked) private var present: [UInt64: Int] = [:]
  private static let presenceLimit = 100_000
  /// Maximum number of dying objects that are considered for one event.
  private static let nestingLimit = 64

  init(wanted: Set<ObjectID>, watched: Set<String>, _ trace: Trace, rowLimit: Int) {
    self.wanted = wanted
    let known = Set(wanted.map(\.address))
    knowsAddresses = !known.contains(0)
    addresses = knowsAddresses ? BloomFilter(known) : BloomFilter()
    addressBits = addresses.bits
    self.watched = watched
    self.rowLimit = rowLimit
    numbers = ObjectNumbers(trace.baseLine)
    classes = trace.tables.classes
    olderObjects = trace.tables.olderObjects
    unfinished = wanted.count
    wantedAddresses = Set(wanted.lazy.filter { $0.number == 0 }.map(\.address))
  }

  deinit {
    counts.deallocate()
    residents.deallocate()
    contexts.deallocate()
    contextCreations.deallocate()
  }

  var histories: [ObjectHistory] {
    all.map { open in
      let leftOut = open.events - open.rows.count + (open.isCut ? 1 : 0)
      return ObjectHistory(
        id: open.id, rows: open.rows, leftOut: leftOut, isCut: open.isCut,
        classesEndedWithin: Set(open.endedWithin.map { names[Int($0)].name }))
    }
  }

  /// Takes an event with an object; returns the index of its history, or -1.
  @inline(__always)
  func take(_ event: UnsafePointer<Event>) -> Int {
    if event.pointee.kind == .allocate { return allocate(event.pointee) }
    if event.pointee.count == 0 && event.pointee.strongChange < 0 || event.pointee.kind == .deallocate {
      noteDeinit(event.pointee)
    }
    if event.pointee.kind == .deallocate, !present.isEmpty,
      let index = present.removeValue(forKey: event.pointee.object)
    {
      presences?[index].end = event.pointee.sequence
    }
    // Most events are of other objects, and a look-up waits for memory.
    guard addressBits.contains(event.pointee.object) else { return -1 }
    if let history = collected[event.pointee.object] { return history }
    return wantedAddresses.isEmpty ? -1 : adopt(event.pointee)
  }

  /// Has the memory fetched that will be needed for an allocation.
  @inline(__always)
  func prefetch(_ event: UnsafePointer<Event>) {
    if event.pointee.kind == .allocate { residents.prefetch(event.pointee.object) }
  }

  private func noteDeinit(_ event: Event) {
    let thread = dying.thread(event.thread)
    if event.kind == .deallocate {
      if let ended = dying.end(event.object, on: thread) {
        for (inner, outer) in ended { all[outer].endedWithin.formUnion(all[inner].endedWithin) }
      } else if dying.hasCollected {
        forget(event.object)
      }
      noteEnd(event, thread)
    } else if !dying.isInnermost(event.object, on: thread) {
      dying.begin(event.object, history: collected[event.object] ?? -1, on: thread)
    }
  }

  /// If an object ended in the deinit of one whose history is collected, its class is noted there.
  private func noteEnd(_ event: Event, _ thread: Int) {
    guard let outer = dying.innermostHistory(on: thread) else { return }
    if let resident = residents.find(event.object) { all[outer].endedWithin.insert(resident.nameIndex) }
  }

  /// A deinit ended on another thread than it began; what ended on the first thread in between shows nothing.
  private func forget(_ object: UInt64) {
    if let history = collected[object], dying.forget(history) { all[history].endedWithin = [] }
  }

  /// An object that is older than the recording and selected by its address.
  private func adopt(_ event: Event) -> Int {
    guard wantedAddresses.remove(event.object) != nil else { return -1 }
    let name = olderObjects[event.object].flatMap { classes[$0]?.name } ?? ""
    var object = Open(id: ObjectID(className: name, number: 0, address: event.object), limit: rowLimit)
    object.ledger = event.count >= 0 ? event.count &- event.strongChange : 1
    all.append(object)
    collected[event.object] = all.count - 1
    return all.count - 1
  }

  private func allocate(_ event: Event) -> Int {
    wantedAddresses.remove(event.object)
    let index = nameIndex(Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF))
    counts[Int(index)] &+= 1
    let number = numbers.next() ?? counts[Int(index)]
    residents.set(event.object, nameIndex: index, number: number)
    if names[Int(index)].isWatched { watch(event, names[Int(index)].name) }
    if names[Int(index)].isContext { noteContext(event) }
    guard addressBits.contains(event.object) else { return -1 }
    let id = ObjectID(className: names[Int(index)].name, number: Int(number), address: event.object)
    guard names[Int(index)].isWanted, wanted.contains(id) else {
      collected[event.object] = nil
      return -1
    }
    collected[event.object] = all.count
    all.append(Open(id: id, limit: rowLimit))
    return all.count - 1
  }

  @inline(__always)
  private func noteContext(_ event: Event) {
    let creation = Moment(sequence: event.sequence, clock: event.clock)
    let known = contexts.find(event.object)
    if known >= 0 {
      contextCreations[known] = creation
    } else {
      contexts.set(event.object, to: contextCreations.count)
      contextCreations.append(creation)
    }
  }

  private func watch(_ event: Event, _ name: String) {
    guard let count = presences?.count, count < Self.presenceLimit else {
      presences = nil
      present = [:]
      return
    }
    present[event.object] = count
    presences?.append(Presence(className: name, allocation: event))
    isNewlyPresent = true
  }

  /// Whether the last event created an object of a watched class, whose backtrace is not known yet.
  @exclusivity(unchecked) private(set) var isNewlyPresent = false

  func place(_ backtrace: BacktraceID) {
    isNewlyPresent = false
    presences?[presences!.count - 1].backtrace = backtrace
  }

  private func nameIndex(_ classID: Int) -> Int32 {
    if let known = nameIndices[classID] { return known }
    let name = classes[classID]?.name ?? "(class \(classID))"
    let index = nameIndicesByName[name] ?? Int32(names.count)
    if Int(index) == names.count {
      names.append(
        ClassName(
          name: name, isWanted: wanted.contains { $0.className == name }, isWatched: watched.contains(name),
          isContext: classes[classID]?.sort == .closure))
      counts.append(0)
      nameIndicesByName[name] = index
    }
    nameIndices[classID] = index
    counts[Int(index)] &+= UInt32(truncatingIfNeeded: numbers.unseen(ofClass: classID))
    return index
  }

  func append(_ event: Event, _ backtrace: BacktraceID, callStart: Moment?, to index: Int) {
    var row = HistoryRow(event: event, backtrace: backtrace)
    row.dying = dyingObject(on: event.thread, besides: event.object)
    if row.dying != nil { row.contextCreation = contextCreation(on: event.thread) }
    row.callStart = callStart
    row.owner = event.referenceOwner.flatMap(resident)
    if event.kind != .allocate { all[index].ledger &+= event.strongChange }
    if event.kind == .base {
      all[index].toleratesGap = true
      if event.count >= 0 { all[index].ledger = event.count }
    } else if event.count >= 0 {
      // As in `LifetimeTracker`: a count that was dropped with older events may be wrong once.
      row.isAfterGap = event.count != all[index].ledger && !all[index].toleratesGap
      if event.count != all[index].ledger { all[index].toleratesGap = false }
      all[index].ledger = event.count
      if event.count == 0, event.strongChange < 0, !all[index].deiniting {
        all[index].deiniting = true
        row.isFinalRelease = true
      }
    }
    all[index].rows.append(row)
    all[index].events += 1
    if event.kind == .free { unfinished -= 1 }
  }

  @inline(__always)
  func isLong(_ index: Int) -> Bool { all[index].rows.count >= all[index].limit }

  func shorten(_ index: Int, caller: (BacktraceID) -> BacktraceID) {
    var rows = LongHistory.shortened(all[index].rows, caller: caller)
    if rows.count > rowLimit, let rest = LongHistory.withoutMiddle(rows, rowLimit: rowLimit / 2) {
      rows = rest
      all[index].isCut = true
    }
    all[index].limit = max(rowLimit, rows.count) + rowLimit
    all[index].rows = rows
  }

  private func dyingObject(on thread: UInt32, besides object: UInt64) -> ObjectID? {
    let number = dying.thread(thread)
    return dying.innermost(on: number, besides: object).flatMap(resident)
  }

  /// When the youngest of the closure contexts was created that are dying on a thread.
  private func contextCreation(on thread: UInt32) -> Moment? {
    let number = dying.thread(thread)
    return dying.innermost(Self.nestingLimit, on: number).compactMap { address in
      // Another object may be there by now.
      guard let resident = residents.find(address), names[Int(resident.nameIndex)].isContext else { return nil }
      return contextCreations[contexts.find(address)]
    }.max { $0.sequence < $1.sequence }
  }

  /// The current or last object at an address.
  private func resident(at address: UInt64) -> ObjectID? {
    residents.find(address).map {
      ObjectID(className: names[Int($0.nameIndex)].name, number: Int($0.number), address: address)
    }
  }
}
