import LifelineTrace

/// Counts a trace's events by class and backtrace in one pass, and returns each object as it ends.
///
/// Memory use grows with the addresses in use, the places in the code and the different backtraces; at most
/// `backtraceLimit` callers are kept, then an event keeps only its innermost site. For a single reading.
public final class ProfileReader {
  /// Nodes of the tree of backtraces, about 40 bytes each.
  public static let backtraceLimit = 1_000_000

  /// The object at an address.
  struct Resident {
    var classIndex: Int32
    var number: UInt32
    var size: UInt32
    /// Where it was allocated, or -1 if that is not selected.
    var sample: Int32
    var openRetains: Int32 = -1
    var state = ObjectState.live
  }

  /// The other facts about an object, kept only if objects are requested.
  struct Detail {
    var allocation: Moment
    var thread: UInt32
    var backtrace: BacktraceID
    var retains: UInt32 = 0
    var releases: UInt32 = 0
    var finalRelease = Moment(sequence: 0, clock: 0)
    var endThread: UInt32 = 0
    var finalBacktrace = BacktraceID.empty
  }

  private let trace: Trace
  private let selection: EventSelection
  private let limit: Int
  private let sink: ((ObjectSummary) throws -> Void)?
  @exclusivity(unchecked) private var numbers: ObjectNumbers
  @exclusivity(unchecked) private var profile = LifetimeProfile()
  @exclusivity(unchecked) private var classIndices: [Int: Int] = [:]
  @exclusivity(unchecked) private var classIndicesByName: [String: Int] = [:]
  @exclusivity(unchecked) private var isWanted: [Bool] = [false]
  @exclusivity(unchecked) private var places = AddressTable()
  @exclusivity(unchecked) private var residents = GrowingBuffer<Resident>()
  @exclusivity(unchecked) private var details = GrowingBuffer<Detail>()
  @exclusivity(unchecked) private var sampleTable = AddressTable()
  @exclusivity(unchecked) private var openRetains = OpenRetains()
  @exclusivity(unchecked) private var lastShortened = false

  /// - Parameter lives: Called with each selected object as it ends, and at the end with those that did not.
  public init(
    _ trace: Trace, _ selection: EventSelection = .all, backtraceLimit: Int = ProfileReader.backtraceLimit,
    lives: ((ObjectSummary) throws -> Void)? = nil
  ) {
    self.trace = trace
    self.selection = selection
    limit = backtraceLimit
    sink = lives
    numbers = ObjectNumbers(trace.baseLine)
    isWanted = [selection.isWanted("")]
  }

  deinit {
    places.deallocate()
    residents.deallocate()
    details.deallocate()
    sampleTable.deallocate()
    openRetains.deallocate()
  }

  /// Reads the whole trace; `progress` gets the number of events from time to time.
  ///
  /// - Throws: `TraceError` if the file can no longer be read, and the errors of `lives`.
  public func read(progress: ((UInt64) -> Void)? = nil) throws -> LifetimeProfile {
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) {
      if event.sequence & 0xF_FFFF == 0 { progress?(event.sequence) }
      profile.lastClock = event.clock
      guard event.object != 0 else { continue }
      try take(event, reader)
    }
    profile.events = reader.sequence
    profile.problems = reader.problems
    try finish()
    return profile
  }

  @inline(__always)
  private func take(_ event: Event, _ reader: EventReader) throws {
    if event.kind == .allocate { return try allocate(event, reader) }
    var place = places.find(event.object)
    if place < 0 { place = adopt(event) }
    switch event.kind {
    case .free: try end(place, event)
    case .deallocate:
      if residents[place].state < .deinited { leave(place, .deinited) }
    default:
      let change = event.strongChange
      if change != 0 { count(change, event, at: place, reader) }
    }
  }

  private func isInSpan(_ event: Event) -> Bool {
    selection.span.map { $0.contains(trace.recording.nanoseconds(at: event.clock)) } ?? true
  }

  private func count(_ change: Int64, _ event: Event, at place: Int, _ reader: EventReader) {
    let index = Int(residents[place].classIndex)
    guard isWanted[index] else {
      if event.count == 0, change < 0, residents[place].state == .live { leave(place, .deiniting) }
      return
    }
    let backtrace = intern(reader)
    let isShort = lastShortened
    let sample = isInSpan(event) ? sample(index, backtrace) : -1
    if sample >= 0 {
      if isShort { profile.shortened += 1 }
      if change > 0 {
        profile.samples[sample].cost.retains += Int(change)
      } else {
        profile.samples[sample].cost.releases -= Int(change)
      }
    }
    if sink != nil {
      if change > 0 {
        details[place].retains &+= UInt32(truncatingIfNeeded: change)
      } else {
        details[place].releases &+= UInt32(truncatingIfNeeded: -change)
      }
    }
    if change > 0 {
      openRetains.push(
        &residents[place].openRetains, backtrace, sample: event.kind == .retain && !isShort ? sample : -1,
        thread: event.thread)
    } else {
      let avoidable = openRetains.pop(
        &residents[place].openRetains, backtrace, thread: event.thread, isLast: event.count <= 0, profile.backtraces)
      if avoidable >= 0, sample >= 0 { profile.samples[avoidable].cost.avoidable += 1 }
    }
    if event.count == 0, change < 0, residents[place].state == .live {
      leave(place, .deiniting)
      if sink != nil {
        details[place].finalRelease = Moment(sequence: event.sequence, clock: event.clock)
        details[place].endThread = event.thread
        details[place].finalBacktrace = backtrace
      }
    }
  }

  /// The object is no longer live.
  private func leave(_ place: Int, _ state: ObjectState) {
    if residents[place].state == .live, residents[place].sample >= 0 {
      let sample = Int(residents[place].sample)
      profile.samples[sample].cost.live -= 1
      profile.samples[sample].cost.liveBytes -= Int(residents[place].size)
    }
    residents[place].state = state
    openRetains.clear(&residents[place].openRetains)
  }

  private func end(_ place: Int, _ event: Event?) throws {
    guard residents[place].state < .freed else { return }
    leave(place, .freed)
    if sink != nil, residents[place].sample >= 0 {
      try give(place, freed: event.map { Moment(sequence: $0.sequence, clock: $0.clock) })
    }
  }

  private func give(_ place: Int, freed: Moment?) throws {
    let resident = residents[place]
    let detail = details[place]
    try sink?(
      ObjectSummary(
        classIndex: Int(resident.classIndex), number: Int(resident.number), address: addresses[place],
        size: Int(resident.size),
        state: resident.state, allocation: detail.allocation, thread: detail.thread, backtrace: detail.backtrace,
        retains: Int(detail.retains), releases: Int(detail.releases),
        finalRelease: detail.finalRelease.sequence > 0 ? detail.finalRelease : nil,
        endThread: detail.endThread, finalBacktrace: detail.finalBacktrace, freed: freed))
  }

  /// Addresses of the objects, if objects are requested.
  @exclusivity(unchecked) private var addresses: [UInt64] = []

  private func settle(_ address: UInt64, _ resident: Resident, _ detail: Detail) {
    let place = places.find(address)
    if place >= 0 {
      residents[place] = resident
      if sink != nil { details[place] = detail }
      return
    }
    places.set(address, to: residents.count)
    residents.append(resident)
    guard sink != nil else { return }
    details.append(detail)
    addresses.append(address)
  }

  private func adopt(_ event: Event) -> Int {
    let index = trace.tables.olderObjects[event.object].map(classIndex) ?? 0
    settle(
      event.object, Resident(classIndex: Int32(index), number: 0, size: 0, sample: -1),
      Detail(allocation: Moment(sequence: 0, clock: 0), thread: 0, backtrace: .empty))
    return places.find(event.object)
  }

  private func allocate(_ event: Event, _ reader: EventReader) throws {
    let index = classIndex(Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF))
    // Its free was not seen, but the address was reused.
    let former = places.find(event.object)
    if former >= 0 { try end(former, nil) }
    profile.classes[index].allocated += 1
    let older = numbers.next()
    let size =
      event.argument1 == 0
      ? profile.classes[index].instanceSize : Int(truncatingIfNeeded: event.argument1 & 0x7FFF_FFFF)
    var resident = Resident(
      classIndex: Int32(index), number: older ?? UInt32(truncatingIfNeeded: profile.classes[index].allocated),
      size: UInt32(size), sample: -1)
    var backtrace = BacktraceID.empty
    if isWanted[index], isInSpan(event) {
      backtrace = intern(reader)
      if lastShortened { profile.shortened += 1 }
      let sample = sample(index, backtrace)
      resident.sample = Int32(truncatingIfNeeded: sample)
      if older == nil {
        profile.samples[sample].cost.allocations += 1
        profile.samples[sample].cost.bytes += size
      }
      profile.samples[sample].cost.live += 1
      profile.samples[sample].cost.liveBytes += size
    }
    settle(
      event.object, resident,
      Detail(
        allocation: Moment(sequence: event.sequence, clock: event.clock), thread: event.thread, backtrace: backtrace))
  }

  private func intern(_ reader: EventReader) -> BacktraceID {
    lastShortened = profile.backtraces.count >= limit
    guard lastShortened else { return reader.intern(into: &profile.backtraces) }
    return profile.backtraces.intern([reader.site(0), BacktraceEntry(word: 4)].compactMap { $0 })
  }

  private func sample(_ classIndex: Int, _ backtrace: BacktraceID) -> Int {
    // A key of the table is never 0.
    let key = UInt64(backtrace.rawValue) << 32 | UInt64(classIndex) + 1
    let known = sampleTable.find(key)
    if known >= 0 { return known }
    sampleTable.set(key, to: profile.samples.count)
    profile.samples.append(LifetimeProfile.Sample(classIndex: classIndex, backtrace: backtrace))
    return profile.samples.count - 1
  }

  private func classIndex(_ id: Int) -> Int {
    if let known = classIndices[id] { return known }
    let record = trace.tables.classes[id]
    let name = record?.name ?? "(class \(id))"
    let index = classIndicesByName[name] ?? profile.classes.count
    if index == profile.classes.count {
      profile.classes.append(LifetimeProfile.ClassEntry(name: name, instanceSize: record?.instanceSize ?? 0))
      isWanted.append(selection.isWanted(name))
      classIndicesByName[name] = index
    }
    classIndices[id] = index
    profile.classes[index].allocated &+= numbers.unseen(ofClass: id)
    return index
  }

  /// The objects that have not been freed, in order of allocation.
  private func finish() throws {
    guard sink != nil else { return }
    let left = residents.elements.indices.filter { residents[$0].state < .freed && residents[$0].sample >= 0 }
    for place in left.sorted(by: { details[$0].allocation.sequence < details[$1].allocation.sequence }) {
      try give(place, freed: nil)
    }
  }
}
