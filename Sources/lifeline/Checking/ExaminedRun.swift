import LifelineAnalysis
import LifelineGate
import LifelineReporting

/// The combined result of all recorded processes of a run.
struct ExaminedRun {
  /// The report of the run, before any gate.
  let report: Report
  let contracts: [ContractResult]
  /// Why the recording cannot show that the run was clean; nil if it can.
  let obstacle: String?
  /// Why the leaks of a process were not searched for; nil if they were, in all.
  let leakObstacle: String?
  /// "Worker (process 4711) was ended by SIGSEGV" of the processes that did not exit, apart from the one that was
  /// started, whose status is the run's.
  let otherEnds: [String]
  /// What all processes' recordings could show.
  let sight: RunSight
  /// Whether retains were not recorded that might have shown an object outliving its last owner.
  let lacksRetains: Bool
  /// As for the processes.
  let classesOfFindings: [String: Set<String>]
  let unsureEnds: UnsureEndInspector.Classes

  /// `started` is the index of the process that was started, if present: it names the run.
  init(_ examined: [ExaminedProcess], started: Int?) {
    precondition(!examined.isEmpty)
    // A process without objects does not matter among others: a test runner that lists tests, or has none of its kind.
    let hasObjects = examined.contains { !$0.isOnlyEmpty }
    let kept = examined.indices.filter { !hasObjects || !examined[$0].isOnlyEmpty || $0 == started }
    let processes = kept.map { examined[$0] }
    let leading =
      started.flatMap(kept.firstIndex) ?? processes.indices.max {
        Self.weight(processes[$0]) < Self.weight(processes[$1])
      } ?? 0
    report = Report(combining: processes.map(\.report), leading: leading)
    contracts = (processes.first?.contracts.indices ?? 0..<0).compactMap { index in
      ContractResult(worstOf: processes.map { $0.contracts[index] })
    }
    lacksRetains = processes.contains { $0.report.classes.contains { $0.isCounted == false } }
    classesOfFindings = processes.reduce(into: [:]) { $0.merge($1.classesOfFindings) { $0.union($1) } }
    unsureEnds = UnsureEndInspector.Classes(merging: processes.map(\.unsureEnds))
    leakObstacle = processes.compactMap(\.leakObstacle).first
    otherEnds = examined.indices.filter { $0 != started }.map { examined[$0].report.program }.filter { program in
      program.isStoppedByFinding != true && (program.hasUnknownEnd || program.signal != nil)
    }.map { "\($0.name) \($0.ending)" }
    sight = RunSight(combining: processes.map(\.sight))!
    let blind = processes.first { $0.obstacle != nil && !($0.isOnlyEmpty && hasObjects) }
    obstacle = blind?.obstacle.map { sentence in
      processes.count > 1 ? "\(blind?.report.program.name ?? ""): \(sentence)" : sentence
    }
  }

  /// The same run with other sentences about how it was made.
  ///
  /// `isSettled`: unrecorded events cannot have shown anything.
  func saying(_ steps: [Report.Step], remarks: [String] = [], isSettled: Bool = false) -> ExaminedRun {
    var report = report
    report.steps = steps
    if isSettled { report.recording.remarks.removeAll { $0.hasSuffix(ReportBuilder.depthRemark) } }
    report.recording.remarks += remarks
    return ExaminedRun(self, report: report, lacksRetains: lacksRetains && !isSettled)
  }

  /// The combination of two runs of one program: the second, at full depth, explains what the first, at depth lives,
  /// showed. What either could not observe stays unknown, and a contract that either broke is broken.
  ///
  /// `isWhole`: the second ended by itself.
  init(_ first: ExaminedRun, explainedBy second: ExaminedRun, isWhole: Bool) {
    report = second.report.explaining(first.report, isWhole: isWhole)
    contracts = zip(first.contracts, second.contracts).map { early, late in
      // The second run's first: its events are those of the trace that is kept.
      early.contract.rule.needsHolds ? late : ContractResult(worstOf: [late, early]) ?? late
    }
    obstacle = first.obstacle ?? second.obstacle
    leakObstacle = first.leakObstacle ?? (isWhole ? second.leakObstacle : nil)
    otherEnds = first.otherEnds
    // Errors of the first run are in the report, too.
    sight = first.sight
    // The first run knows which objects transient activities freed; the second has their retains.
    lacksRetains = !isWhole && first.lacksRetains
    classesOfFindings = first.classesOfFindings
    unsureEnds = first.unsureEnds
  }

  /// The same run, which for another reason cannot be shown to have been clean.
  func blinded(_ sentence: String) -> ExaminedRun {
    ExaminedRun(self, report: report, lacksRetains: lacksRetains, obstacle: obstacle ?? sentence)
  }

  private init(_ run: ExaminedRun, report: Report, lacksRetains: Bool, obstacle: String? = nil) {
    self.lacksRetains = lacksRetains
    self.report = report
    contracts = run.contracts
    self.obstacle = obstacle ?? run.obstacle
    leakObstacle = run.leakObstacle
    otherEnds = run.otherEnds
    sight = run.sight
    classesOfFindings = run.classesOfFindings
    unsureEnds = run.unsureEnds
  }

  /// Whether a finding of a kind, of an object of a class, would be in the report if it had occurred.
  func couldShow(_ kind: String, of className: String) -> Bool {
    guard obstacle == nil, sight.isWhole, !sight.isFiltered || report.classes.contains(where: { $0.name == className })
    else { return false }
    switch kind {
    case "leak": return leakObstacle == nil
    case "late-deallocation", "near-miss": return !lacksRetains && sight.namesObstacle == nil
    default: return sight.hasZombies
    }
  }

  /// Errors, then warnings, then blindness, then events.
  private static func weight(_ process: ExaminedProcess) -> (Int, Int, Int, UInt64) {
    let findings = process.report.findings
    return (
      findings.count { $0.severity == "error" }, findings.count { $0.severity == "warning" },
      process.obstacle == nil || process.isOnlyEmpty ? 0 : 1, process.report.recording.events.values.reduce(0, &+)
    )
  }
}
