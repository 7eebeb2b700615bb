import LifelineLifetimes
import LifelineTrace

/// Reads the lives of all objects of a trace, in order of allocation, in one pass.
///
/// The memory grows with the objects and the places that retain each of them, not with the events.
public struct LifetimeSignatureReader {
  private struct Open {
    var life: LifetimeSignature
    let thread: UInt32
    let start: UInt64
    var hasEnded = false
    var retains: [BacktraceID: Int] = [:]
    var releases: [BacktraceID: Int] = [:]
    var finalRelease: BacktraceID?
  }

  private let trace: Trace
  private let allocator: (_ sites: [BacktraceEntry], _ className: String) -> String
  private let caller: (_ sites: [BacktraceEntry]) -> (name: String, isLibrary: Bool)
  private var backtraces = BacktraceTable()
  private var open: [Open] = []
  private var indexByAddress: [UInt64: Int] = [:]
  private var numbers: [String: Int] = [:]
  private var clocks: [UInt32: UInt64] = [:]
  private var sites: [Place: String] = [:]
  private var names: [BacktraceID: String] = [:]
  /// Functions of libraries that retained or released, by the names that lives have them by.
  public private(set) var libraryFunctions: Set<String> = []

  private struct Place: Hashable {
    let className: String
    let backtrace: BacktraceID
  }

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

  /// - Throws: `TraceError` when the file cannot be read any more.
  public mutating func lives() throws -> [LifetimeSignature] {
    let reader = trace.events()
    var event = Event()
    while try reader.next(&event) {
      clocks[event.thread, default: 0] += 1
      if event.kind == .allocate {
        allocate(event, reader)
      } else if let index = indexByAddress[event.object] {
        take(event, index, reader)
      }
    }
    var ordinals: [LifetimeSignature.Kind: Int] = [:]
    return open.map { entry in
      var life = entry.life
      if !entry.hasEnded { life.length = clocks[entry.thread, default: 0] - entry.start }
      ordinals[life.kind, default: 0] += 1
      life.ordinal = ordinals[life.kind] ?? 0
      for (id, count) in entry.retains { life.retains[name(id), default: 0] += count }
      for (id, count) in entry.releases { life.releases[name(id), default: 0] += count }
      life.finalRelease = entry.finalRelease.map { name($0) }
      return life
    }
  }

  private mutating func name(_ id: BacktraceID) -> String {
    if let known = names[id] { return known }
    let fresh = caller(backtraces.entries(id))
    names[id] = fresh.name
    if fresh.isLibrary { libraryFunctions.insert(fresh.name) }
    return fresh.name
  }

  private mutating func allocate(_ event: Event, _ reader: EventReader) {
    let name = trace.tables.classes[Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)]?.name ?? "(unknown class)"
    numbers[name, default: 0] += 1
    let id = ObjectID(className: name, number: numbers[name] ?? 0)
    let place = Place(className: name, backtrace: reader.intern(into: &backtraces))
    let site = sites[place] ?? allocator(backtraces.entries(place.backtrace), name)
    sites[place] = site
    indexByAddress[event.object] = open.count
    var life = LifetimeSignature(object: id, site: site)
    life.thread = event.thread
    open.append(Open(life: life, thread: event.thread, start: clocks[event.thread, default: 0]))
  }

  private mutating func take(_ event: Event, _ index: Int, _ reader: EventReader) {
    let change = Int(event.strongChange)
    if event.thread != open[index].thread { open[index].life.isShared = true }
    if change > 0 { open[index].retains[reader.intern(into: &backtraces), default: 0] += change }
    if change < 0 { open[index].releases[reader.intern(into: &backtraces), default: 0] -= change }
    let isFinal = event.count == 0 && change < 0
    if !open[index].hasEnded, isFinal || event.kind == .deallocate || event.kind == .free {
      open[index].hasEnded = true
      open[index].life.isLiveAtExit = false
      open[index].life.length = clocks[open[index].thread, default: 0] - open[index].start
      if isFinal { open[index].finalRelease = reader.intern(into: &backtraces) }
    }
    if event.kind == .free { indexByAddress[event.object] = nil }
  }
}
