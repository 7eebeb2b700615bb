import LifelineAnalysis
import LifelineTrace

/// Finds the shortest schedule that still shows the discovery.
struct ScheduleReducer {
  let discovery: Explorer.Discovery
  /// Other schedules that may show it: a run may have the problem by itself, unrelated to its holds.
  let others: [Schedule]
  /// Number of holds tried alone, and in pairs.
  private static let singles = 16, paired = 5
  /// Nanoseconds after which no more are tried for a run that hangs.
  private static let patience: UInt64 = 30_000_000_000
  private static let runsOfHang = 4

  /// The shortest schedule found, with how often it shows the discovery, and the report of a run that does.
  ///
  /// A schedule that shows it in nine of ten runs is used immediately; if there is none, the best one.
  func reduce(_ explorer: inout Explorer, runs most: Int) throws -> (
    schedule: Schedule, rate: Explorer.Rate, discovery: Explorer.Discovery
  ) {
    let runs = discovery.problem == .hang ? min(most, Self.runsOfHang) : most
    var best: (schedule: Schedule, rate: Explorer.Rate, discovery: Explorer.Discovery)?
    func measure(_ schedule: Schedule) throws -> Bool {
      let (rate, shown) = try explorer.rate(schedule, of: discovery, runs: runs, misses: best == nil ? runs : runs / 5)
      if let shown, rate.shown * (best?.rate.of ?? 1) > (best?.rate.shown ?? 0) * rate.of {
        best = (schedule, rate, shown)
      }
      return rate.shown * 10 >= rate.of * 9
    }
    let start = explorer.duration
    for schedules in attempts {
      // Each hanging run takes its whole limit.
      if discovery.problem == .hang, explorer.duration - start > Self.patience { break }
      for schedule in try explorer.showing(discovery, schedules).prefix(2) where try measure(schedule) { return best! }
    }
    if best?.schedule != discovery.step.schedule { _ = try measure(discovery.step.schedule) }
    return best ?? (discovery.step.schedule, Explorer.Rate(shown: 0, of: runs), discovery)
  }

  /// Schedules of one hold, then of two, from the holds of the run with the discovery.
  private var attempts: [[Schedule]] {
    var seen: Set<Schedule.Hold> = []
    let class_ = discovery.problem.wrongClass
    let indices = discovery.holds.indices.sorted { a, b in
      (concerns(a, class_) ? 0 : 1, -a) < (concerns(b, class_) ? 0 : 1, -b)
    }
    var holds: [Schedule.Hold] = []
    for index in indices {
      let hold = discovery.holds[index].hold
      if hold.visit <= Schedule.Hold.lastVisit, seen.insert(hold).inserted { holds.append(hold) }
    }
    let each = holds.prefix(Self.singles).map { Schedule.Hold(key: $0.key, visit: 0) }
    // An allocation precedes its effects by far, and nothing else shows that it is related.
    let births = Set(discovery.holds.lazy.filter { $0.side == .allocation }.map(\.hold))
    let kept =
      Array(holds.filter { births.contains($0) }.prefix(2)) + holds.filter { !births.contains($0) }.prefix(Self.paired)
    var pairs: [Schedule] = []
    for (index, first) in kept.enumerated() {
      for second in kept[(index + 1)...] { pairs.append(.holds([first, second])) }
    }
    var given: [Schedule] = []
    if discovery.step.schedule.holds.count == 1 { given = [discovery.step.schedule] }
    let everyTime = Array(Set(each)).sorted { $0.key < $1.key }.map { Schedule.holds([$0]) }
    let named = others.filter { $0.number != nil }.prefix(Self.singles)
    let pairedEveryTime = pairs.map { pair in
      Schedule.holds(pair.holds.map { Schedule.Hold(key: $0.key, visit: 0) })
    }
    let attempts = [
      given, holds.prefix(Self.singles).map { .holds([$0]) }, everyTime, Array(named), pairs, pairedEveryTime,
    ].filter { !$0.isEmpty }
    return discovery.step.schedule.isPatient ? attempts.map { $0.map(\.patient) } : attempts
  }

  /// Whether a hold is related to an object of the class.
  private func concerns(_ index: Int, _ class_: String?) -> Bool {
    index < discovery.named.count && discovery.named[index].object?.class == class_
  }
}
