import LifelineTrace

/// Counts the live objects of each allocation site at the end of each generation, in one pass over a trace.
struct GrowthCounter {
  /// A class and the backtrace of its allocations.
  struct Site: Hashable {
    let className: String
    let allocation: BacktraceID
  }

  /// The maximum number of generations.
  private static let most = 100_000

  private(set) var sites: [Site] = []
  /// By generation, then by site: live objects at its end, and the fewest during it. Sites that are seen later are
  /// missing. And how many objects had begun or ended by then.
  private(set) var generations: [(live: [Int], lows: [Int], changes: UInt64)] = []
  /// Of each site, the newest object, and the newest at the end of the last generation.
  private(set) var newest: [Int: ObjectID] = [:], newestAtEnd: [Int: ObjectID] = [:]
  private(set) var backtraces = BacktraceTable()
  /// The number of events read, and of those before the end of the last generation.
  private(set) var events: UInt64 = 0, lastEnd: UInt64 = 0
  private(set) var problems: [String] = []

  private var indices: [Site: Int] = [:]
  private var live: [Int] = [], lows: [Int] = []
  private var objects: [UInt64: (site: Int, id: ObjectID)] = [:]
  private var numbers: [String: Int] = [:]
  /// The number of objects that began or ended so far.
  private var changes: UInt64 = 0

  /// Reads to the end, or to the end of generation `last`.
  ///
  /// - Throws: `TraceError` if the file can no longer be read, or if there are more than 100,000 generations.
  init(_ trace: Trace, _ boundaries: Generations, last: Int) throws {
    let reader = trace.events()
    var event = Event()
    var cutter = GenerationCutter(boundaries, trace)
    // Of a ring, only what is still alive is known of earlier generations.
    var horizon = trace.baseLine?.horizon
    while try reader.next(&event) {
      var endings = cutter.endings(before: event)
      if let start = horizon {
        endings = 0
        if event.clock > start { (horizon, lows) = (nil, live) }
      }
      guard endings <= Self.most - generations.count else {
        throw TraceError("There would be more than \(Self.most) generations; use a longer time.")
      }
      for _ in 0..<min(endings, last - generations.count) {
        generations.append((live, lows, changes))
        lows = live
      }
      if endings > 0 { (newestAtEnd, lastEnd) = (newest, reader.sequence - 1) }
      if generations.count >= last { break }
      if event.kind == .allocate {
        let name = trace.tables.classes[Int(truncatingIfNeeded: event.argument0 & 0xFFFF_FFFF)]?.name ?? ""
        begin(event.object, Site(className: name, allocation: reader.intern(into: &backtraces)))
      } else if event.isEnd {
        end(event.object)
      }
    }
    events = reader.sequence
    problems = reader.problems
    // With a timer, the last generations are often those in which the program only waited for its end.
    if case .every = boundaries {
      while generations.count > 1, generations.last?.changes == generations[generations.count - 2].changes {
        generations.removeLast()
      }
    }
    for (site, objects) in living { newest[site] = objects.last }
  }

  /// The objects of each site that are live when the trace ends, oldest first.
  var living: [Int: [ObjectID]] {
    Dictionary(grouping: objects.values, by: \.site).mapValues { $0.map(\.id).sorted { $0.number < $1.number } }
  }

  private mutating func begin(_ address: UInt64, _ site: Site) {
    // Its end was not seen.
    end(address)
    numbers[site.className, default: 0] += 1
    changes += 1
    let index = indices[site] ?? sites.count
    if index == sites.count {
      indices[site] = index
      sites.append(site)
      live.append(0)
      lows.append(0)
    }
    live[index] += 1
    let id = ObjectID(className: site.className, number: numbers[site.className]!, address: address)
    objects[address] = (index, id)
    newest[index] = id
  }

  private mutating func end(_ address: UInt64) {
    guard let site = objects.removeValue(forKey: address)?.site else { return }
    changes += 1
    live[site] -= 1
    lows[site] = min(lows[site], live[site])
  }
}
