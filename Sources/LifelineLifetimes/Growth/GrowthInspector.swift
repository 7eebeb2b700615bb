import LifelineTrace

/// Finds allocation sites that gain live objects in every generation of a run, and classes that do so by several sites
/// together, in one pass over its trace.
public struct GrowthInspector {
  /// A class and the code that allocates it, whoever called that.
  private struct Code: Hashable {
    let className: String
    let frames: [BacktraceEntry]
  }

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
  public let backtraces: BacktraceTable

  /// Reads to the end, or to the end of generation `last`. O(events + groups × generations).
  ///
  /// - Throws: `TraceError` if the file can no longer be read, or if there are more than 100,000 generations.
  public init(_ trace: Trace, _ boundaries: Generations, last: Int = .max) throws {
    let counter = try GrowthCounter(trace, boundaries, last: last)
    let sites = counter.sites, living = counter.living
    func growth(_ group: [Int]) -> Growth? { Self.growth(group, counter, living) }
    // What one call gains another one of the same code may lose, as when a pool's first objects are replaced.
    let sameCode = Dictionary(grouping: sites.indices) { index in
      Code(
        className: sites[index].className,
        frames: Array(counter.backtraces.entries(sites[index].allocation).prefix(2)))
    }.values
    let single = sameCode.flatMap { all in
      all.count > 1 && growth(all) == nil ? [] : all.compactMap { growth([$0]) }
    }
    // If each round has its own calls, as in a loop that the compiler unrolled, no site gains in every round.
    let known = Set(single.map(\.className))
    let classes = Dictionary(grouping: sites.indices) { sites[$0].className }.filter { !known.contains($0.key) }
    growths = (single + classes.values.compactMap { $0.count > 1 ? growth($0) : nil }).sorted {
      ($1.gain * $0.rounds, $0.className, $0.newest.number) < ($0.gain * $1.rounds, $1.className, $1.newest.number)
    }
    generations = counter.generations.count
    lastEnd = counter.lastEnd
    events = counter.events
    problems = counter.problems
    backtraces = counter.backtraces
  }

  /// The growth of several sites together; nil if they do not grow.
  private static func growth(_ group: [Int], _ counter: GrowthCounter, _ living: [Int: [ObjectID]]) -> Growth? {
    func sums(_ row: (([Int], [Int])) -> [Int]) -> [Int] {
      counter.generations.map { counts in
        let counts = row((counts.live, counts.lows))
        return group.reduce(0) { $0 + ($1 < counts.count ? counts[$1] : 0) }
      }
    }
    let last = group.max { (counter.newest[$0]?.number ?? 0) < (counter.newest[$1]?.number ?? 0) }
    guard let last, let newest = counter.newest[last] else { return nil }
    let objects = group.flatMap { living[$0] ?? [] }.sorted { $0.number < $1.number }
    return Growth(
      className: counter.sites[last].className, allocation: counter.sites[last].allocation,
      series: GrowthSeries(counts: sums(\.0), lows: Array(sums(\.1).dropFirst())), newest: newest,
      typical: objects.isEmpty ? counter.newestAtEnd[last] ?? newest : objects[objects.count / 2],
      isFreed: objects.isEmpty)
  }
}
