import LifelineAnalysis
import LifelineGate
import LifelineReporting
import LifelineTrace

/// The whole process from the natural run of a program to the shortest schedule that shows a problem.
struct Exploration {
  let bound: Explorer.Bound
  /// The only schedule to try; nil for all.
  let seed: UInt64?
  /// Number of runs that measure how often a schedule shows a discovery again.
  let confirmations: Int

  /// The result of an exploration.
  struct Outcome {
    let report: Report
    let verdict: GateVerdict
    /// How the program ended, in the run with the discovery or naturally.
    let end: Recording.End?
    /// The end of the program's output in a run without an explaining finding.
    let output: String
    /// Whether that was the run without holds.
    let isOutputNatural: Bool
  }

  /// The schedule that shows a discovery again, and how often it did.
  private struct Repetition {
    var rate: Explorer.Rate?
    var schedule: Schedule?
  }

  /// Nil if nothing could be observed; the explorer knows why.
  func outcome(_ explorer: inout Explorer) throws -> Outcome? {
    if let discovery = try explorer.learn() { return outcome(discovery, Repetition(), explorer) }
    guard let natural = explorer.natural else { return nil }
    let isBlind = if case .none = natural.judgment.verdict { !natural.wasStopped } else { false }
    if isBlind || explorer.hasFailedByItself { return outcome(natural, explorer, failure: natural.judgment.verdict) }
    let given = seed.flatMap { Schedule(number: $0) }.map { SchedulePlan.Step(schedule: $0, strategy: .given) }
    guard let discovery = try explorer.look(bound, first: given) else {
      return outcome(natural, explorer, failure: verdictWithoutFind(natural, explorer))
    }
    // What happens by itself needs no schedule, and neither does what happened without a hold.
    if let byItself = discovery.byItself, byItself.shown > 0 { return outcome(discovery, Repetition(), explorer) }
    if let given {
      return outcome(discovery, Repetition(schedule: discovery.holds.isEmpty ? nil : given.schedule), explorer)
    }
    let others = SchedulePlan(sites: explorer.sites).steps.map(\.schedule)
    let shortest = try ScheduleReducer(discovery: discovery, others: others).reduce(&explorer, runs: confirmations)
    let isShown = shortest.rate.shown > 0
    return outcome(
      shortest.discovery, Repetition(rate: shortest.rate, schedule: isShown ? shortest.schedule : nil), explorer)
  }

  /// The answer if nothing was found, and why that may be meaningless.
  private func verdictWithoutFind(_ natural: NaturalRun, _ explorer: Explorer) -> GateVerdict {
    if let schedule = seed.flatMap({ Schedule(number: $0) }), explorer.runs > 0, explorer.heldRuns == 0 {
      return .none(
        schedule.holds.isEmpty
          ? "this seed held no thread: it may belong to another build"
          : "the places of this seed do not exist in this build")
    }
    let limit = UInt64(explorer.limit * 1e9), took = UInt64(natural.microseconds) * 1000
    if natural.wasStopped {
      return .none(ProblemWording.neverEnds(limit: limit, withoutFind: summary(explorer).withoutFind))
    }
    if explorer.stopped > 0 {
      return .none(ProblemWording.stopped(explorer.stopped, of: explorer.runs + 1, limit: limit, natural: took))
    }
    return natural.judgment.verdict
  }

  /// The memory of so many runs is not examined.
  private static func withoutLeaks(_ report: Report) -> Report {
    var report = report
    report.recording.remarks = report.recording.remarks.map { remark in
      remark.hasPrefix("Leaks were not looked for: ")
        ? "Leaks were not looked for: explorations do not search for them." : remark
    }
    return report
  }

  private func outcome(_ natural: NaturalRun, _ explorer: Explorer, failure verdict: GateVerdict) -> Outcome {
    var document = Self.withoutLeaks(natural.judgment.report)
    let exploration = summary(explorer)
    document.exploration = exploration
    if natural.wasStopped { document.program.limit = UInt64(explorer.limit * 1e9) }
    document.verdict = "none"
    document.noVerdictReason =
      switch verdict {
      case .none(let reason): reason
      case .clean, .findings:
        explorer.hasFailedByItself ? "the tests fail without holds" : exploration.withoutFind
      }
    return Outcome(
      report: document, verdict: verdict, end: natural.end, output: natural.output, isOutputNatural: true)
  }

  private func outcome(_ discovery: Explorer.Discovery, _ repetition: Repetition, _ explorer: Explorer) -> Outcome {
    var document = Self.withoutLeaks(discovery.judgment.report)
    var exploration = summary(explorer)
    let isNatural = discovery.step.strategy == .natural
    exploration.foundInRun = isNatural ? 1 : discovery.run + 1
    // The seed of another build names places that do not exist in this one, so no thread was held.
    let heldNobody =
      discovery.step.strategy == .given && !discovery.step.schedule.holds.isEmpty && discovery.holds.isEmpty
    exploration.strategy = (heldNobody ? SchedulePlan.Strategy.natural : discovery.step.strategy).rawValue
    exploration.byItself = discovery.byItself?.shown
    exploration.byItselfOf = discovery.byItself?.of
    exploration.shownAgain = repetition.rate?.shown
    exploration.shownAgainOf = repetition.rate?.of
    exploration.seed = repetition.schedule?.number
    if repetition.schedule != nil { exploration.schedule = discovery.named }
    exploration.problem = sentence(discovery, explorer)
    document.exploration = exploration
    if exploration.problem != nil {
      document.verdict = "findings"
      document.noVerdictReason = nil
    }
    if discovery.wasStopped { document.program.limit = UInt64(explorer.limit * 1e9) }
    return Outcome(
      report: document, verdict: .findings, end: discovery.end, output: discovery.output, isOutputNatural: isNatural)
  }

  private func summary(_ explorer: Explorer) -> Report.Exploration {
    Report.Exploration(
      runs: explorer.runs + 1, stopped: explorer.stopped, points: explorer.points, racingSites: explorer.racingSites,
      reversedSites: explorer.reversedSites, duration: explorer.duration, givenSeed: seed)
  }

  /// Why a run is a discovery, if no finding says it.
  private func sentence(_ discovery: Explorer.Discovery, _ explorer: Explorer) -> String? {
    guard let natural = explorer.natural else { return nil }
    let byItself = discovery.byItself.map { ($0.shown, $0.of) }
    switch discovery.problem {
    case .wrongObject, .judged: return nil
    case .end(let end) where discovery.step.strategy == .natural: return ProblemWording.naturalCrash(end)
    case .end(let end):
      return ProblemWording.otherEnd(end, natural: natural.wasStopped ? nil : natural.end, byItself: byItself)
    case .hang:
      return ProblemWording.hang(
        limit: UInt64(explorer.limit * 1e9), natural: UInt64(natural.microseconds) * 1000, byItself: byItself)
    }
  }
}
