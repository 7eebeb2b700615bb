import LifelineLifetimes
import LifelineTrace

/// Reads the lifetimes of all objects of a trace, in order of allocation, in one pass.
///
/// Memory use grows with the objects, some words each, and with the sites that retain simultaneously live ones.
public struct LifetimeSignatureReader {
  /// An object that was not freed yet, with everything that its events change in one place: events come in any order of
  /// objects, and every cache line that an event touches is a cache miss.
  private struct Open {
    /// Index into `lives`, and into `kinds`.
    var life = 0
    var kind = 0
    /// Index into `clocks`: the thread that allocated it.
    var clock = 0
    var start: UInt64 = 0
    var length: UInt64 = 0
    var thread: UInt32 = 0
    var isShared = false
    var isLiveAtExit = true
    var uses = UseCounts()
    /// The function of the final release, as numbered by `callers`.
    var finalRelease: Int?
  }

  /// Class and allocating function, and the number of objects with both.
  private struct Kind {
    let className: String
    let site: String
    /// Index into `counts`.
    let classIndex: Int
    var count = 0
    /// The uses of the object that ended last, which the next one mostly resembles.
    var uses: [UseCounts.Use] = []
    var finalRelease: Int?
    var shape: LifetimeShape
  }

  private struct Place: Hashable {
    let record: Int
    let backtrace: BacktraceID
  }

  private struct ShapeKey: Hashable {
    let kind: Int
    let uses: [UseCounts.Use]
    let finalRelease: Int?
  }

  private let trace: Trace
  private let allocator: (_ sites: [BacktraceEntry], _ className: String) -> String
  private var callers: CallerTable
  private var backtraces = BacktraceTable()
  private var lives: [LifetimeSignature] = []
  private var open: [Open] = []
  /// Free slots in `open`.
  private var vacant: [Int] = []
  /// Slots in `open`.
  private var openByAddress = AddressTable()
  private var kinds: [Kind] = []
  private var kindsByName: [LifetimeShape.Kind: Int] = [:]
  private var kindsByPlace: [Place: Int] = [:]
  /// Objects of each class.
  private var counts: [Int] = []
  private var classes: [String: Int] = [:]
  /// Events of each thread so far.
  private var clocks: [(thread: UInt32, events: UInt64)] = []
  private var clocksByThread: [UInt32: Int] = [:]
  private var shapes: [ShapeKey: LifetimeShape] = [:]
  /// Number of events read, and sentences about damage in them.
  public private(set) var events: UInt64 = 0
  public private(set) var problems: [String] = []
  /// Names of library functions that retained or released.
  public var libraryFunctions: Set<String> { callers.libraryFunctions }

  /// - Parameters:
  ///   - allocator: names the function that allocated an object of a class.
  ///   - tellsCaller: whether calls up to this one are enough for `caller`.
  ///   - caller: names the function that retained or released, and returns whether it is a library's.
  public init(
    _ trace: Trace, allocator: @escaping ([BacktraceEntry], String) -> String,
    tellsCaller: @escaping (BacktraceEntry) -> Bool,
    caller: @escaping ([BacktraceEntry]) -> (name: String, isLibrary: Bool)
  ) {
    self.trace = trace
    self.allocator = allocator
    callers = CallerTable(tells: tellsCaller, name: caller)
  }

  /// Reads everything; call it once.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  public mutating func read() throws -> [LifetimeSignature] {
    defer {
      openByAddress.deallocate()
      callers.deallocate()
    }
    let reader = trace.events()
    var event = Event()
    var current: Int?
    while try reader.next(&event) {
      if current == nil || event.thread != clocks[current!].thread { current = clock(of: event.thread) }
      clocks[current!].events += 1
      if event.kind == .allocate {
        allocate(event, current!, reader)
      } else {
        let place = event.object == 0 ? -1 : openByAddress.find(event.object)
        if place >= 0 { take(event, place, reader) }
      }
    }
    events = reader.sequence
    problems = reader.problems
    let left = Set(vacant)
    for place in open.indices where !left.contains(place) {
      if open[place].isLiveAtExit { open[place].length = clocks[open[place].clock].events - open[place].start }
      complete(place)
    }
    return lives
  }

  private mutating func clock(of thread: UInt32) -> Int {
    if let known = clocksByThread[thread] { return known }
    clocks.append((thread, 0))
    clocksByThread[thread] = clocks.count - 1
    return clocks.count - 1
  }

  private mutating func allocate(_ event: Event, _ clock: Int, _ reader: EventReader) {
    let record = Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)
    let kind = kind(Place(record: record, backtrace: reader.intern(into: &backtraces)))
    kinds[kind].count += 1
    let classIndex = kinds[kind].classIndex
    counts[classIndex] += 1
    var life = LifetimeSignature(kinds[kind].shape, number: counts[classIndex])
    life.ordinal = kinds[kind].count
    life.thread = clocks[clock].thread
    let place = vacant.popLast() ?? open.count
    if place == open.count { open.append(Open()) }
    open[place].life = lives.count
    open[place].kind = kind
    open[place].clock = clock
    open[place].start = clocks[clock].events
    open[place].thread = clocks[clock].thread
    open[place].isShared = false
    open[place].isLiveAtExit = true
    openByAddress.set(event.object, to: place)
    lives.append(life)
  }

  /// The index of a class and the function that allocated at a site.
  private mutating func kind(_ place: Place) -> Int {
    if let known = kindsByPlace[place] { return known }
    let name = trace.tables.classes[place.record]?.name ?? "(unknown class)"
    let site = allocator(backtraces.entries(place.backtrace), name)
    let key = LifetimeShape.Kind(className: name, site: site)
    let index = kindsByName[key] ?? kinds.count
    if index == kinds.count {
      let classIndex = classes[name] ?? counts.count
      if classIndex == counts.count { counts.append(0) }
      classes[name] = classIndex
      kinds.append(
        Kind(className: name, site: site, classIndex: classIndex, shape: LifetimeShape(className: name, site: site)))
    }
    kindsByName[key] = index
    kindsByPlace[place] = index
    return index
  }

  private mutating func take(_ event: Event, _ place: Int, _ reader: EventReader) {
    let change = Int(event.strongChange)
    if event.thread != open[place].thread { open[place].isShared = true }
    let isFinal = event.count == 0 && change < 0
    let function = change != 0 ? callers.number(reader.site) : 0
    if change != 0 { open[place].uses.add(change, by: function) }
    if open[place].isLiveAtExit, isFinal || event.kind == .deallocate || event.kind == .free {
      open[place].isLiveAtExit = false
      open[place].length = clocks[open[place].clock].events - open[place].start
      if isFinal { open[place].finalRelease = function }
    }
    if event.kind == .free {
      openByAddress.set(event.object, to: -1)
      complete(place)
      vacant.append(place)
    }
  }

  /// Gives a lifetime its shape, and frees its slot in `open`.
  private mutating func complete(_ place: Int) {
    let kind = open[place].kind
    if open[place].uses.uses != kinds[kind].uses || open[place].finalRelease != kinds[kind].finalRelease {
      kinds[kind].uses = open[place].uses.uses
      kinds[kind].finalRelease = open[place].finalRelease
      kinds[kind].shape = shape(ShapeKey(kind: kind, uses: kinds[kind].uses, finalRelease: kinds[kind].finalRelease))
    }
    let life = open[place].life
    lives[life].take(kinds[kind].shape)
    lives[life].length = open[place].length
    lives[life].isShared = open[place].isShared
    lives[life].isLiveAtExit = open[place].isLiveAtExit
    open[place].uses.removeAll()
    open[place].finalRelease = nil
  }

  private mutating func shape(_ key: ShapeKey) -> LifetimeShape {
    if let known = shapes[key] { return known }
    var retains: [String: Int] = [:], releases: [String: Int] = [:]
    for use in key.uses {
      let name = callers.names[use.function]
      if use.retains > 0 { retains[name, default: 0] += use.retains }
      if use.releases > 0 { releases[name, default: 0] += use.releases }
    }
    let shape = LifetimeShape(
      className: kinds[key.kind].className, site: kinds[key.kind].site, retains: retains, releases: releases,
      finalRelease: key.finalRelease.map { callers.names[$0] })
    shapes[key] = shape
    return shape
  }
}
