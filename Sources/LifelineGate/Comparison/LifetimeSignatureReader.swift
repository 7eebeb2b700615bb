import LifelineLifetimes
import LifelineTrace

/// Reads the lives of all objects of a trace, in order of allocation, in one pass.
///
/// The memory grows with the objects, some words each, and with the places that retain those that live at once.
public struct LifetimeSignatureReader {
  /// An object that was not freed yet.
  private struct Open {
    /// Index into `lives`, and into `kinds`.
    var life = 0
    var kind = 0
    /// Index into `clocks`: the thread that allocated it.
    var clock = 0
    var start: UInt64 = 0
    var uses = UseCounts()
    var finalRelease: BacktraceID?
  }

  /// Class and allocating function, and how many objects have both.
  private struct Kind {
    let className: String
    let site: String
    /// Index into `counts`.
    let classIndex: Int
    var count = 0
    /// Of the object that ended last: the next one is mostly like it.
    var uses: [UseCounts.Use] = []
    var finalRelease: BacktraceID?
    var shape: LifetimeShape
  }

  private struct Place: Hashable {
    let record: Int
    let backtrace: BacktraceID
  }

  private struct Story: Hashable {
    let kind: Int
    let uses: [UseCounts.Use]
    let finalRelease: BacktraceID?
  }

  private let trace: Trace
  private let allocator: (_ sites: [BacktraceEntry], _ className: String) -> String
  private let caller: (_ sites: [BacktraceEntry]) -> (name: String, isLibrary: Bool)
  private var backtraces = BacktraceTable()
  private var lives: [LifetimeSignature] = []
  private var open: [Open] = []
  /// Places in `open` for the next objects.
  private var vacant: [Int] = []
  /// Places in `open`.
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
  private var shapes: [Story: LifetimeShape] = [:]
  private var names: [BacktraceID: String] = [:]
  /// Events that were read, and sentences about damage in them.
  public private(set) var events: UInt64 = 0
  public private(set) var problems: [String] = []
  /// Functions of libraries that retained or released, by the names that lives have them by.
  public private(set) var libraryFunctions: Set<String> = []

  /// - Parameters:
  ///   - allocator: names the function that allocated an object of a class.
  ///   - caller: names the function that retained or released, and says whether it is a library's.
  public init(
    _ trace: Trace, allocator: @escaping ([BacktraceEntry], String) -> String,
    caller: @escaping ([BacktraceEntry]) -> (name: String, isLibrary: Bool)
  ) {
    self.trace = trace
    self.allocator = allocator
    self.caller = caller
  }

  /// Reads all; to be called once.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public mutating func read() throws -> [LifetimeSignature] {
    defer { openByAddress.deallocate() }
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
      let life = open[place].life
      if lives[life].isLiveAtExit { lives[life].length = clocks[open[place].clock].events - open[place].start }
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
    openByAddress.set(event.object, to: place)
    lives.append(life)
  }

  /// The index of a class and the function that allocated at a place.
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
    let change = Int(event.strongChange), life = open[place].life
    if event.thread != lives[life].thread { lives[life].isShared = true }
    if change != 0 { open[place].uses.add(change, at: reader.intern(into: &backtraces)) }
    let isFinal = event.count == 0 && change < 0
    if lives[life].isLiveAtExit, isFinal || event.kind == .deallocate || event.kind == .free {
      lives[life].isLiveAtExit = false
      lives[life].length = clocks[open[place].clock].events - open[place].start
      if isFinal { open[place].finalRelease = reader.intern(into: &backtraces) }
    }
    if event.kind == .free {
      openByAddress.set(event.object, to: -1)
      complete(place)
      vacant.append(place)
    }
  }

  /// Gives a life its shape, and the place in `open` to another.
  private mutating func complete(_ place: Int) {
    let kind = open[place].kind
    if open[place].uses.uses != kinds[kind].uses || open[place].finalRelease != kinds[kind].finalRelease {
      kinds[kind].uses = open[place].uses.uses
      kinds[kind].finalRelease = open[place].finalRelease
      kinds[kind].shape = shape(Story(kind: kind, uses: kinds[kind].uses, finalRelease: kinds[kind].finalRelease))
    }
    lives[open[place].life].take(kinds[kind].shape)
    open[place].uses.removeAll()
    open[place].finalRelease = nil
  }

  private mutating func shape(_ lifetime: Story) -> LifetimeShape {
    if let known = shapes[lifetime] { return known }
    var retains: [String: Int] = [:], releases: [String: Int] = [:]
    for use in lifetime.uses {
      let name = name(use.place)
      if use.retains > 0 { retains[name, default: 0] += use.retains }
      if use.releases > 0 { releases[name, default: 0] += use.releases }
    }
    let shape = LifetimeShape(
      className: kinds[lifetime.kind].className, site: kinds[lifetime.kind].site, retains: retains, releases: releases,
      finalRelease: lifetime.finalRelease.map { name($0) })
    shapes[lifetime] = shape
    return shape
  }

  private mutating func name(_ id: BacktraceID) -> String {
    if let known = names[id] { return known }
    let fresh = caller(backtraces.entries(id))
    names[id] = fresh.name
    if fresh.isLibrary { libraryFunctions.insert(fresh.name) }
    return fresh.name
  }
}
