import LifelineTrace

/// Finds allocation sites that gain live objects in every generation of a run, and classes that do so by several sites
/// together, in one pass over its trace.
public struct GrowthInspector {
  private struct Key: Hashable {
    let className: String
    let allocation: BacktraceID
  }

  /// A class and the code that allocates it, whoever called that.
  private struct Place: Hashable {
    let className: String
    let frames: [BacktraceEntry]
  }

  /// The maximum number of generations.
  private static let most = 100_000

  /// The growth, most objects per round first.
  public let growths: [Growth]
  /// The number of completed generations.
  public let generations: Int
  /// The events before the end of the last of them.
  public let lastEnd: UInt64
  /// The number of events read.
  public let events: UInt64
  /// Sentences about unreadable events.
  public let problems: [String]
  /// Backtraces of the allocations.
  public private(set) var backtraces = BacktraceTable()

  /// Reads to the end, or to the end of generation `last`. O(events + groups × generations).
  ///
  /// - Throws: `TraceError` if the file can no longer be read, or if there are more than 100,000 generations.
  public init(_ trace: Trace, _ boundaries: Generations, last: Int = .max) throws {
    let reader = trace.events()
    var event = Event()
    var groups: [Key: Int] = [:]
    var keys: [Key] = []
    var live: [Int] = []
    var lows: [Int] = []
    var newest: [Int: ObjectID] = [:], newestAtEnd: [Int: ObjectID] = [:]
    var lastEnd: UInt64 = 0
    var series: [(live: [Int], lows: [Int])] = []
    var places: [UInt64: (group: Int, id: ObjectID)] = [:]
    var numbers: [String: Int] = [:]
    var cutter = Cutter(boundaries, trace)
    // Of a ring, only what is still alive is known of earlier generations.
    var horizon = trace.baseLine?.horizon
    func remove(_ group: Int) {
      live[group] -= 1
      lows[group] = min(lows[group], live[group])
    }
    while try reader.next(&event) {
      var endings = cutter.endings(before: event)
      if let start = horizon {
        endings = 0
        if event.clock > start { (horizon, lows) = (nil, live) }
      }
      guard endings <= Self.most - series.count else {
        throw TraceError("There would be more than \(Self.most) generations; use a longer time.")
      }
      for _ in 0..<min(endings, last - series.count) {
        series.append((live, lows))
        lows = live
      }
      if endings > 0 { (newestAtEnd, lastEnd) = (newest, reader.sequence - 1) }
      if series.count >= last { break }
      if event.kind == .allocate {
        if let missed = places.removeValue(forKey: event.object) { remove(missed.group) }
        let name = trace.tables.classes[Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)]?.name ?? ""
        numbers[name, default: 0] += 1
        let key = Key(className: name, allocation: reader.intern(into: &backtraces))
        let group = groups[key] ?? keys.count
        if group == keys.count {
          groups[key] = group
          keys.append(key)
          live.append(0)
          lows.append(0)
        }
        live[group] += 1
        let id = ObjectID(className: name, number: numbers[name]!, address: event.object)
        places[event.object] = (group, id)
        newest[group] = id
      } else if event.isEnd, let place = places.removeValue(forKey: event.object) {
        remove(place.group)
      }
    }
    generations = series.count
    self.lastEnd = lastEnd
    events = reader.sequence
    problems = reader.problems
    var living: [Int: [(number: Int, address: UInt64)]] = [:]
    for place in places.values { living[place.group, default: []].append((place.id.number, place.id.address)) }
    for (group, objects) in living {
      newest[group] = objects.max { $0.number < $1.number }.map {
        ObjectID(className: keys[group].className, number: $0.number, address: $0.address)
      }
    }
    func growth(_ groups: [Int]) -> Growth? {
      func sums(_ row: KeyPath<(live: [Int], lows: [Int]), [Int]>) -> [Int] {
        series.map { counts in
          let counts = counts[keyPath: row]
          return groups.reduce(0) { $0 + ($1 < counts.count ? counts[$1] : 0) }
        }
      }
      let last = groups.max { (newest[$0]?.number ?? 0) < (newest[$1]?.number ?? 0) }
      guard let last, let object = newest[last] else { return nil }
      let objects = groups.flatMap { living[$0] ?? [] }.sorted { $0.number < $1.number }
      let typical =
        objects.isEmpty
        ? newestAtEnd[last] ?? object
        : ObjectID(
          className: object.className, number: objects[objects.count / 2].number,
          address: objects[objects.count / 2].address)
      return Growth(
        className: keys[last].className, allocation: keys[last].allocation,
        series: GrowthSeries(counts: sums(\.live), lows: Array(sums(\.lows).dropFirst())), newest: object,
        typical: typical, isFreed: objects.isEmpty)
    }
    // What one call gains another one of the same place may lose, as when a pool's first objects are replaced.
    let table = backtraces
    let sameCode = Dictionary(grouping: keys.indices) { index in
      Place(className: keys[index].className, frames: Array(table.entries(keys[index].allocation).prefix(2)))
    }.values
    let sites = sameCode.flatMap { all in
      all.count > 1 && growth(all) == nil ? [] : all.compactMap { growth([$0]) }
    }
    // If each round has its own calls, as in a loop that the compiler unrolled, no site gains in every round.
    let known = Set(sites.map(\.className))
    let classes = Dictionary(grouping: keys.indices) { keys[$0].className }.filter { !known.contains($0.key) }
    growths = (sites + classes.values.compactMap { $0.count > 1 ? growth($0) : nil }).sorted {
      ($1.gain * $0.rounds, $0.className, $0.newest.number) < ($0.gain * $1.rounds, $1.className, $1.newest.number)
    }
  }

  /// Determines before which events generations end.
  private struct Cutter {
    private let boundaries: Generations
    private let trace: Trace
    private var due: UInt64 = 0
    private var passed = 0

    init(_ boundaries: Generations, _ trace: Trace) {
      self.boundaries = boundaries
      self.trace = trace
      if case .every(let step) = boundaries { due = step }
    }

    /// How many generations end there: several if nothing happened for longer than one.
    mutating func endings(before event: Event) -> Int {
      switch boundaries {
      case .marks(let isWanted):
        let isEnd =
          event.kind == .mark && isWanted(trace.tables.strings[Int(truncatingIfNeeded: event.argument0)] ?? "")
        return isEnd ? 1 : 0
      case .every(let step):
        let time = trace.recording.nanoseconds(at: event.clock)
        guard step > 0, time >= due else { return 0 }
        let count = (time - due) / step + 1
        due += count * step
        return Int(count)
      case .at(let times):
        let time = trace.recording.nanoseconds(at: event.clock)
        let before = passed
        while passed < times.count, times[passed] <= time { passed += 1 }
        return passed - before
      }
    }
  }
}
