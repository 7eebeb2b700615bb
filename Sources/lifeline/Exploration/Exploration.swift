import LifelineAnalysis
import LifelineGate
import LifelineReporting
import LifelineTrace

/// The whole way from the natural run of a program to the shortest schedule that shows what is wrong.
struct Exploration {
  let bound: Explorer.Bound
  /// The only schedule to try; nil for all.
  let seed: UInt64?
  /// Runs that say how often a schedule shows a find again.
  let confirmations: Int

  /// What came of it.
  struct Outcome {
    let report: Report
    let verdict: GateVerdict
    /// How the program ended, in the run that found something or by itself.
    let end: Recording.End?
    /// The end of what the program printed in a run that no finding explains.
    let output: String
  }

  /// Nil where nothing could be seen: the explorer knows why.
  func outcome(_ explorer: inout Explorer) throws -> Outcome? {
    if let find = try explorer.learn() {
      return outcome(find.judgment, explorer, find: find, rate: nil, schedule: nil)
    }
    guard let natural = explorer.natural else { return nil }
    let isBlind = if case .none = natural.judgment.verdict { !explorer.neverEnds } else { false }
    if isBlind || explorer.hasFailedByItself {
      return outcome(natural.judgment, explorer, find: nil, rate: nil, schedule: nil)
    }
    let given = seed.flatMap { Schedule(number: $0) }.map { SchedulePlan.Step(schedule: $0, strategy: .given) }
    guard let find = try explorer.look(bound, first: given) else {
      return outcome(natural.judgment, explorer, find: nil, rate: nil, schedule: nil)
    }
    if let given { return outcome(find.judgment, explorer, find: find, rate: nil, schedule: given.schedule) }
    let others = SchedulePlan(sites: explorer.sites).steps.map(\.schedule)
    let shortest = try ScheduleReducer(find: find, others: others).reduce(&explorer, runs: confirmations)
    return outcome(
      shortest.find.judgment, explorer, find: shortest.find, rate: shortest.rate, schedule: shortest.schedule)
  }

  private func outcome(
    _ judgment: RunGate.Judgment, _ explorer: Explorer, find: Explorer.Find?, rate: Explorer.Rate?, schedule: Schedule?
  ) -> Outcome {
    var document = judgment.report
    let exploration = Report.Exploration(
      runs: explorer.runs + 1, stopped: explorer.stopped, points: explorer.points, racingSites: explorer.racingSites,
      reversedSites: explorer.reversedSites, duration: explorer.duration,
      foundInRun: find.map { $0.step.strategy == .natural ? 1 : $0.run + 1 },
      strategy: find?.step.strategy.rawValue, seed: schedule?.number, shownAgain: rate?.shown, shownAgainOf: rate?.of,
      schedule: find?.named ?? [])
    document.exploration = exploration
    let failure = explorer.hasFailedByItself ? "the tests fail when nobody is held" : nil
    if judgment.verdict == .clean {
      document.verdict = "none"
      document.noVerdictReason = find.map { Self.sentence($0.end) } ?? failure ?? exploration.withoutFind
    }
    return Outcome(
      report: document, verdict: judgment.verdict, end: find?.end ?? explorer.natural?.end, output: find?.output ?? "")
  }

  /// Why a run without findings is a find all the same.
  private static func sentence(_ end: Recording.End) -> String {
    let how =
      switch end {
      case .exit(let status): "it exited with status \(status)"
      case .signal(let number): "signal \(number) ended it"
      case .unknown, .replaced, .detached: "nobody saw its end"
      }
    return "the program ended otherwise than when nobody is held: \(how)"
  }
}
