import LifelineGate
import LifelineReporting
import LifelineTrace

/// What a first run, at depth lives, leaves unexplained, and what a second one must record for it.
struct Explanation {
  /// "use-after-free of Job#1", …
  let reasons: [String]
  /// Full names of the classes that matter; nil for all.
  let classes: [String]?

  /// Maximum number of classes passed to the probe.
  private static let classLimit = 32
  private static let byteLimit = 8000
  private static let reasonLimit = 3

  /// Nil if there is nothing to explain. Findings accepted by the gate need no explanation.
  ///
  /// - Parameter judged: the first run's report with the gate's outcomes.
  init?(of first: ExaminedRun, judged: Report, contracts: [Contract], end: Recording.End?) {
    var reasons: [String] = []
    var names: Set<String> = []
    var isAll = false
    for finding in judged.findings where !finding.isKnown && !finding.isSuppressed {
      reasons.append("\(finding.kind) of \(finding.object.id)")
      names.formUnion(first.classesOfFindings[finding.fingerprint] ?? [finding.object.class])
    }
    let crashes = Self.crashes(judged, end)
    reasons += crashes
    isAll = !crashes.isEmpty
    let classes = judged.classes.map(\.name)
    for contract in contracts where contract.rule.needsHolds {
      let concerned = classes.filter(contract.concerns)
      if concerned.isEmpty { continue }
      reasons.append("the contract \(contract.text)")
      names.formUnion(concerned)
    }
    if !first.unsureEnds.passing.isEmpty {
      let list = Self.list(first.unsureEnds.passing.sorted())
      reasons.append("whether \(list) outlived the last owner: a passing activity freed objects")
    }
    func were(_ classes: Set<String>) -> String { classes.count == 1 ? "was" : "were" }
    let local = first.unsureEnds.local.subtracting(first.unsureEnds.passing).subtracting(names)
    if !local.isEmpty {
      reasons.append(
        "whether \(Self.list(local.sorted())) \(were(local)) used without an owner: a function freed objects")
    }
    let kept = first.unsureEnds.kept.subtracting(first.unsureEnds.passing).subtracting(local).subtracting(names)
    if !kept.isEmpty {
      reasons.append("whether \(Self.list(kept.sorted())) \(were(kept)) used without an owner: only a closure keeps it")
    }
    names.formUnion(first.unsureEnds.passing.union(local).union(kept))
    if reasons.isEmpty { return nil }
    names.formUnion(first.unsureEnds.contexts)
    let rest = reasons.count - Self.reasonLimit
    self.reasons = rest > 1 ? Array(reasons.prefix(Self.reasonLimit)) + ["\(rest) more"] : reasons
    let isTooMuch = names.count > Self.classLimit || names.reduce(0, { $0 + $1.utf8.count }) > Self.byteLimit
    self.classes = isAll || isTooMuch || names.isEmpty ? nil : names.sorted()
  }

  /// The crashes that no error explains: of the program, or of processes that it started.
  private static func crashes(_ judged: Report, _ end: Recording.End?) -> [String] {
    let errors = judged.findings.filter { $0.severity == "error" }
    func isCrash(_ program: Report.Program) -> Bool {
      program.signal.map { ProblemWording.isCrash(.signal($0)) } == true
    }
    guard let processes = judged.processes else {
      let isCrashed = end.map(ProblemWording.isCrash) == true || isCrash(judged.program)
      return isCrashed && errors.isEmpty ? ["why the program \(judged.program.ending)"] : []
    }
    return processes.enumerated().compactMap { index, process in
      guard isCrash(process.program), !errors.contains(where: { $0.process == index }) else { return nil }
      return "why \(process.name) \(process.program.ending)"
    }
  }

  /// "for Job and Service", "for all recorded classes".
  var scope: String { "for \(classes.map(Self.list) ?? "all recorded classes")" }

  private static func list(_ names: [String]) -> String {
    let shown = names.prefix(reasonLimit).joined(separator: ", ")
    return names.count > reasonLimit ? "\(shown) and \(names.count - reasonLimit) more" : shown
  }
}
