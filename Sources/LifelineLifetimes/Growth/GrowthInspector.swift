import LifelineTrace

/// Finds allocation sites that gain live objects in every generation of a run, and classes that do so by several sites
/// together, in one pass over its trace.
public struct GrowthInspector {
  private struct Key: Hashable {
    let className: String
    let allocation: BacktraceID
  }

  /// What grows, most objects a round first.
  public let growths: [Growth]
  /// Generations that came to an end.
  public let generations: Int
  /// Backtraces of the allocations.
  public private(set) var backtraces = BacktraceTable()

  /// Reads on to the end, or up to the end of generation `last`. O(events + groups × generations).
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public init(_ trace: Trace, _ boundaries: Generations, last: Int = .max) throws {
    let reader = trace.events()
    var event = Event()
    var groups: [Key: Int] = [:]
    var keys: [Key] = []
    var live: [Int] = []
    var newest: [Int: ObjectID] = [:]
    var series: [[Int]] = []
    var places: [UInt64: (group: Int, id: ObjectID)] = [:]
    var numbers: [String: Int] = [:]
    var cutter = Cutter(boundaries, trace)
    while try reader.next(&event) {
      if cutter.passes(event) {
        series.append(live)
        if series.count >= last { break }
      }
      if event.kind == .allocate {
        if let missed = places.removeValue(forKey: event.object) { live[missed.group] -= 1 }
        let name = trace.tables.classes[Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)]?.name ?? ""
        numbers[name, default: 0] += 1
        let key = Key(className: name, allocation: reader.intern(into: &backtraces))
        let group = groups[key] ?? keys.count
        if group == keys.count {
          groups[key] = group
          keys.append(key)
          live.append(0)
        }
        live[group] += 1
        let id = ObjectID(className: name, number: numbers[name]!, address: event.object)
        places[event.object] = (group, id)
        newest[group] = id
      } else if Self.isEnd(event), let place = places.removeValue(forKey: event.object) {
        live[place.group] -= 1
      }
    }
    generations = series.count
    // The newest that still lives, where there is one: its way to a root is the one that grows.
    for place in places.values where newest[place.group].map({ $0.number <= place.id.number }) ?? true {
      newest[place.group] = place.id
    }
    func growth(_ groups: [Int]) -> Growth? {
      let counts = series.map { live in groups.reduce(0) { $0 + ($1 < live.count ? live[$1] : 0) } }
      let last = groups.max { (newest[$0]?.number ?? 0) < (newest[$1]?.number ?? 0) }
      guard Growth.isGrowing(counts), let last, let object = newest[last] else { return nil }
      return Growth(
        className: keys[last].className, allocation: keys[last].allocation, counts: counts, newest: object)
    }
    let sites = keys.indices.compactMap { growth([$0]) }
    // Where each round has calls of its own, as in a loop that the compiler unrolled, no site gains in every round.
    let known = Set(sites.map(\.className))
    let classes = Dictionary(grouping: keys.indices) { keys[$0].className }.filter { !known.contains($0.key) }
    growths = (sites + classes.values.compactMap { $0.count > 1 ? growth($0) : nil }).sorted {
      ($1.perRound, $0.className, $0.newest.number) < ($0.perRound, $1.className, $1.newest.number)
    }
  }

  private static func isEnd(_ event: Event) -> Bool {
    event.kind == .free || event.kind == .deallocate || (event.count == 0 && event.strongChange < 0)
  }

  /// Says at which events a generation ends.
  private struct Cutter {
    private let boundaries: Generations
    private let trace: Trace
    private var due: UInt64 = 0

    init(_ boundaries: Generations, _ trace: Trace) {
      self.boundaries = boundaries
      self.trace = trace
      if case .every(let step) = boundaries { due = step }
    }

    mutating func passes(_ event: Event) -> Bool {
      switch boundaries {
      case .marks(let isWanted):
        return event.kind == .mark && isWanted(trace.tables.strings[Int(truncatingIfNeeded: event.argument0)] ?? "")
      case .every(let step):
        guard step > 0, trace.recording.nanoseconds(at: event.clock) >= due else { return false }
        due += step
        return true
      }
    }
  }
}
