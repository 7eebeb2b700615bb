import LifelineAnalysis
import LifelineGate
import LifelineReporting
import LifelineTrace

/// Holds a report against policy and contracts, and writes the results into it.
struct ReportGate {
  var policy: GatePolicy
  let contracts: [Contract]
  let rules: HoldRules

  /// - Throws: `TraceError` when the trace cannot be read any more.
  func judge(_ report: inout Report, _ diagnosis: Diagnosis, _ trace: Trace, _ names: Names) throws -> GateVerdict {
    var results: [ContractResult] = []
    if !contracts.isEmpty {
      var inspector = ContractInspector(contracts, trace, diagnosis.summary, lost: isExamined(diagnosis) ? diagnosis.lostObjects : nil, names: names, rules: rules)
      results = try inspector.results()
    }
    let findings = report.findings.map(GateFinding.init)
    for (index, finding) in findings.enumerated() { report.findings[index].outcome = outcome(finding) }
    let verdict = GateVerdict(
      failing: report.findings.filter(\.isFailing).count, contracts: results, obstacle: diagnosis.obstacle ?? blindness(diagnosis))
    report.noVerdictReason = nil
    switch verdict {
    case .findings: report.verdict = "findings"
    case .clean: report.verdict = "clean"
    case .none(let sentence):
      report.verdict = "none"
      report.noVerdictReason = sentence
    }
    // What was not reached is not fixed.
    let fixed = diagnosis.obstacle == nil ? policy.baseline?.missing(from: findings).map(\.line) ?? [] : []
    report.gate = Report.Gate(
      failOn: policy.failOn.choices,
      contracts: results.map { Report.Contract(text: $0.contract.text, result: $0.outcome.rawValue, sentence: $0.sentence) },
      fixed: fixed, unusedSuppressions: policy.suppressions.unused(by: findings), hasBaseline: policy.baseline != nil)
    return verdict
  }

  private func isExamined(_ diagnosis: Diagnosis) -> Bool { diagnosis.heap.map { $0.refusal == nil } ?? false }

  /// Why nobody can say that there is no leak, when that was asked.
  private func blindness(_ diagnosis: Diagnosis) -> String? {
    guard policy.failOn.choices.contains(Finding.Kind.leak.rawValue), !isExamined(diagnosis) else { return nil }
    return "Leaks were not looked for: \(diagnosis.heap?.refusal ?? "reachability was not examined")."
  }

  private func outcome(_ finding: GateFinding) -> Report.Outcome {
    switch policy.state(of: finding) {
    case .failing: Report.Outcome(state: "failing", reason: nil)
    case .passing:
      Report.Outcome(state: "passing", reason: "the check fails on \(policy.failOn.choices.joined(separator: ", ")) only")
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
