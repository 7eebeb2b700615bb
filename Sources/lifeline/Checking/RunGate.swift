import LifelineGate
import LifelineReporting

/// What a run is judged by.
struct RunGate {
  let policy: GatePolicy
  /// Whether the baseline is replaced by the findings.
  let updatesBaseline: Bool

  /// The result of judging a run.
  struct Judgment {
    let report: Report
    let verdict: GateVerdict
    /// The baseline after the run.
    let baseline: Baseline?
  }

  /// The run's report with the gate's verdict.
  func judge(_ run: ExaminedRun) -> Judgment {
    var policy = policy
    let findings = run.report.findings.map(GateFinding.init)
    func couldShow(_ entry: Baseline.Entry) -> Bool { run.couldShow(entry.kind, of: entry.className) }
    let missing = policy.baseline?.missing(from: findings) ?? []
    if updatesBaseline { policy.baseline = policy.updatedBaseline(findings, couldShow: couldShow) }
    var report = run.report
    for (index, finding) in findings.enumerated() { report.findings[index].outcome = Self.outcome(finding, policy) }
    let verdict = GateVerdict(
      failing: report.findings.filter(\.isFailing).count, contracts: run.contracts,
      obstacle: run.obstacle ?? blindness(run))
    report.noVerdictReason = nil
    switch verdict {
    case .findings: report.verdict = "findings"
    case .clean: report.verdict = "clean"
    case .none(let sentence):
      report.verdict = "none"
      report.noVerdictReason = sentence
    }
    // A finding that was not reached is not fixed.
    let fixed = updatesBaseline ? [] : missing.filter(couldShow).map(\.line)
    report.gate = Report.Gate(
      failOn: policy.failOn.choices,
      contracts: run.contracts.map {
        Report.Contract(text: $0.contract.text, result: $0.outcome.rawValue, sentence: $0.sentence)
      },
      fixed: fixed, unusedSuppressions: policy.suppressions.unused(by: findings), hasBaseline: policy.baseline != nil,
      exception: verdict == .clean ? exception(run) : nil)
    return Judgment(report: report, verdict: verdict, baseline: policy.baseline)
  }

  private static let endsShown = 3

  private func exception(_ run: ExaminedRun) -> String? {
    let exception = run.sight.exception(sawLeaks: run.leakObstacle == nil)
    let unseen = run.report.processes == nil ? exception : exception.map { "\($0) in every process" }
    let rest = run.otherEnds.count - Self.endsShown
    let ends = run.otherEnds.prefix(Self.endsShown) + (rest > 0 ? ["\(rest) more did not exit"] : [])
    let all = ends + [unseen].compactMap { $0 }
    return all.isEmpty ? nil : all.joined(separator: "; ")
  }

  /// Why leaks, or objects that outlived their last owner, cannot be ruled out, if that was requested.
  private func blindness(_ run: ExaminedRun) -> String? {
    if policy.failOn.choices.contains("leak"), let obstacle = run.leakObstacle {
      return "Leaks were not looked for: \(obstacle)."
    }
    if policy.failOn.choices.contains("use-after-free"), !run.sight.hasZombies {
      return "Uses of freed objects were not looked for: record with --zombies, or check the program itself."
    }
    return lateBlindness(run)
  }

  private func lateBlindness(_ run: ExaminedRun) -> String? {
    let asked = policy.failOn.choices.first { ["late-deallocation", "near-miss", "warnings", "notes"].contains($0) }
    guard let asked else { return nil }
    if run.lacksRetains {
      return "--fail-on \(asked) needs retains and releases, which --depth lives and --retains do not record."
    }
    return run.sight.namesObstacle.map { "--fail-on \(asked) needs the names of the program's functions. \($0)" }
  }

  private static func outcome(_ finding: GateFinding, _ policy: GatePolicy) -> Report.Outcome {
    switch policy.state(of: finding) {
    case .failing: Report.Outcome(state: "failing", reason: nil)
    case .passing:
      Report.Outcome(
        state: "passing", reason: "the check fails on \(policy.failOn.choices.joined(separator: ", ")) only")
    case .suppressed(let reason): Report.Outcome(state: "suppressed", reason: reason)
    case .known: Report.Outcome(state: "known", reason: "in the baseline")
    }
  }
}

extension GateFinding {
  init(_ finding: Report.Finding) {
    let frames = finding.backtraces.flatMap(\.frames)
    let names = frames.flatMap { [$0.function, $0.mangledName, $0.file, $0.image].compactMap { $0 } }
    self.init(
      kind: finding.kind, severity: finding.severity, fingerprint: finding.fingerprint, className: finding.object.class,
      names: [finding.object.class] + names)
  }
}
