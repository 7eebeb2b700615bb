import LifelineLifetimes
import LifelineTrace

/// Summarizes a profile for people and programs.
public struct ProfileReportBuilder {
  private let profile: CallProfile
  private let prices: ProfilePrices
  private let top: Int
  private static let neighbors = 10

  /// `top` is the maximum length of each list.
  public init(_ profile: CallProfile, prices: ProfilePrices = ProfilePrices(), top: Int) {
    self.profile = profile
    self.prices = prices
    self.top = top
  }

  public func build(program: String, events: UInt64, shortened: UInt64) -> ProfileReport {
    let classes = classes
    let functions = functions
    let lines = lines
    let pairs = pairs
    return ProfileReport(
      program: program, events: events, shortened: shortened, prices: prices, total: cost(profile.total),
      classes: Array(classes.prefix(top)), functions: functions.list, lines: Array(lines.prefix(top)),
      avoidable: Array(pairs.prefix(top)),
      omitted: ProfileReport.Omissions(
        classes: max(0, classes.count - top), functions: functions.omitted, lines: max(0, lines.count - top),
        avoidable: max(0, pairs.count - top)))
  }

  private func cost(_ cost: ProfileCost) -> ProfileReport.Cost { ProfileReport.Cost(cost, prices) }

  /// Most expensive first, then by name: the same for the same trace.
  private func isBefore(_ a: (ProfileReport.Cost, String), _ b: (ProfileReport.Cost, String)) -> Bool {
    (b.0.nanoseconds, b.0.liveBytes, a.1) < (a.0.nanoseconds, a.0.liveBytes, b.1)
  }

  private var classes: [ProfileReport.Class] {
    var sums = [ProfileCost](repeating: ProfileCost(), count: profile.classes.count)
    for sample in profile.samples { sums[sample.classIndex] += sample.cost }
    return sums.indices.filter { !sums[$0].isZero }.map {
      ProfileReport.Class(name: profile.className($0), cost: cost(sums[$0]))
    }
    .sorted { isBefore(($0.cost, $0.name), ($1.cost, $1.name)) }
  }

  private var functions: (list: [ProfileReport.Function], omitted: Int) {
    let folded = profile.byFunction
    let totals = CallTotals(folded)
    let frames = folded.tree.frames
    let order = frames.indices.map {
      (frame: $0, exclusive: cost(totals.exclusive[$0]), inclusive: prices.nanoseconds(totals.inclusive[$0]))
    }
    .sorted { a, b in
      (b.exclusive.nanoseconds, b.inclusive, frames[a.frame].function, frames[a.frame].image)
        < (a.exclusive.nanoseconds, a.inclusive, frames[b.frame].function, frames[b.frame].image)
    }.prefix(top)
    let kept = Set(order.map(\.frame))
    var callers: [Int: [ProfileReport.Neighbor]] = [:]
    var callees: [Int: [ProfileReport.Neighbor]] = [:]
    for (edge, passed) in totals.edges {
      let (caller, callee) = (Int(edge >> 32), Int(edge & 0xFFFF_FFFF))
      if kept.contains(callee) {
        callers[callee, default: []].append(
          ProfileReport.Neighbor(function: frames[caller].function, cost: cost(passed)))
      }
      if kept.contains(caller) {
        callees[caller, default: []].append(
          ProfileReport.Neighbor(function: frames[callee].function, cost: cost(passed)))
      }
    }
    let list = order.map { entry in
      ProfileReport.Function(
        function: frames[entry.frame].function, image: frames[entry.frame].image,
        isSystem: frames[entry.frame].isSystem,
        exclusive: entry.exclusive, inclusive: cost(totals.inclusive[entry.frame]),
        callers: nearest(callers[entry.frame]),
        callees: nearest(callees[entry.frame]))
    }
    return (list, max(0, frames.count - top))
  }

  private func nearest(_ neighbors: [ProfileReport.Neighbor]?) -> [ProfileReport.Neighbor] {
    Array(
      (neighbors ?? []).sorted { isBefore(($0.cost, $0.function), ($1.cost, $1.function)) }.prefix(Self.neighbors))
  }

  private var lines: [ProfileReport.Line] {
    let totals = CallTotals(profile)
    let frames = profile.tree.frames
    return frames.indices.compactMap { index -> ProfileReport.Line? in
      guard !frames[index].isSystem, let file = frames[index].file, let line = frames[index].line else { return nil }
      return ProfileReport.Line(
        file: file, line: line, function: frames[index].function, exclusive: cost(totals.own[index]),
        inclusive: cost(totals.inclusive[index]))
    }.sorted {
      isBefore(
        ($0.exclusive, "\($0.file):\($0.line) \($0.function)"), ($1.exclusive, "\($1.file):\($1.line) \($1.function)"))
    }
  }

  private var pairs: [ProfileReport.AvoidablePair] {
    struct Key: Hashable {
      let classIndex: Int
      let frame: Int
    }
    var counts: [Key: Int] = [:]
    for sample in profile.samples where sample.cost.avoidable > 0 {
      let path = profile.tree.path(sample.node)
      guard let frame = CallTotals.place(path, profile.tree) ?? path.first else { continue }
      counts[Key(classIndex: sample.classIndex, frame: frame), default: 0] += sample.cost.avoidable
    }
    return counts.map { key, count in
      let frame = profile.tree.frames[key.frame]
      return ProfileReport.AvoidablePair(
        class: profile.className(key.classIndex), function: frame.function, file: frame.file, line: frame.line,
        count: count,
        nanoseconds: Int((Double(count) * 2 * prices.reference).rounded()))
    }.sorted {
      ($1.count, $0.class, $0.function, $0.file ?? "", $0.line ?? 0) < (
        $0.count, $1.class, $1.function, $1.file ?? "", $1.line ?? 0
      )
    }
  }
}
