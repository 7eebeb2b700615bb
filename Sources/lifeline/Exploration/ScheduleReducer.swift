import LifelineAnalysis
import LifelineTrace

/// Finds the shortest schedule that still shows the find.
struct ScheduleReducer {
  let find: Explorer.Find
  /// Other schedules that may show it: a run may have the problem by itself, unrelated to its holds.
  let others: [Schedule]
  /// Number of holds tried alone, and in pairs.
  private static let singles = 16, paired = 5
  /// Nanoseconds after which no more are tried for a run that hangs.
  private static let patience: UInt64 = 30_000_000_000
  private static let runsOfHang = 4

  /// The shortest schedule found, with how often it shows the find, and the report of a run that does.
  ///
  /// A schedule that shows it in nine of ten runs is used immediately; if there is none, the best one.
  func reduce(_ explorer: inout Explorer, runs most: Int) throws -> (
    schedule: Schedule, rate: Explorer.Rate, find: Explorer.Find
  ) {
    let runs = find.problem == .hang ? min(most, Self.runsOfHang) : most
    var best: (schedule: Schedule, rate: Explorer.Rate, find: Explorer.Find)?
    func measure(_ schedule: Schedule) throws -> Bool {
      let (rate, shown) = try explorer.rate(schedule, of: find, runs: runs, misses: best == nil ? runs : runs / 5)
      if let shown, rate.shown * (best?.rate.of ?? 1) > (best?.rate.shown ?? 0) * rate.of {
        best = (schedule, rate, shown)
      }
      return rate.shown * 10 >= rate.of * 9
    }
    let start = explorer.duration
    for schedules in attempts {
      // Each hanging run takes its whole limit.
      if find.problem == .hang, explorer.duration - start > Self.patience { break }
      for schedule in try explorer.showing(find, schedules).prefix(2) where try measure(schedule) { return best! }
    }
    if best?.schedule != find.step.schedule { _ = try measure(find.step.schedule) }
    return best ?? (find.step.schedule, Explorer.Rate(shown: 0, of: runs), find)
  }

  /// Schedules of one hold, then of two, from the holds of the run with the find.
  private var attempts: [[Schedule]] {
    var seen: Set<Schedule.Hold> = []
    let class_ = find.problem.wrongClass
    let indices = find.holds.indices.sorted { a, b in
      (concerns(a, class_) ? 0 : 1, -a) < (concerns(b, class_) ? 0 : 1, -b)
    }
    var holds: [Schedule.Hold] = []
    for index in indices {
      let hold = find.holds[index].hold
      if hold.visit <= Schedule.Hold.lastVisit, seen.insert(hold).inserted { holds.append(hold) }
    }
    let each = holds.prefix(Self.singles).map { Schedule.Hold(key: $0.key, visit: 0) }
    // An allocation precedes its effects by far, and nothing else shows that it is related.
    let births = Set(find.holds.lazy.filter { $0.side == .allocation }.map(\.hold))
    let kept =
      Array(holds.filter { births.contains($0) }.prefix(2)) + holds.filter { !births.contains($0) }.prefix(Self.paired)
    var pairs: [Schedule] = []
    for (index, first) in kept.enumerated() {
      for second in kept[(index + 1)...] { pairs.append(.holds([first, second])) }
    }
    var given: [Schedule] = []
    if find.step.schedule.holds.count == 1 { given = [find.step.schedule] }
    let everyTime = Array(Set(each)).sorted { $0.key < $1.key }.map { Schedule.holds([$0]) }
    let named = others.filter { $0.number != nil }.prefix(Self.singles)
    let pairedEveryTime = pairs.map { pair in
      Schedule.holds(pair.holds.map { Schedule.Hold(key: $0.key, visit: 0) })
    }
    let attempts = [
      given, holds.prefix(Self.singles).map { .holds([$0]) }, everyTime, Array(named), pairs, pairedEveryTime,
    ].filter { !$0.isEmpty }
    return find.step.schedule.isPatient ? attempts.map { $0.map(\.patient) } : attempts
  }

  /// Whether a hold is related to an object of the class.
  private func concerns(_ index: Int, _ class_: String?) -> Bool {
    index < find.named.count && find.named[index].object?.class == class_
  }
}
