import LifelineGate
import LifelineReporting

/// What all recorded processes of a run say together; every one takes part.
struct ExaminedRun {
  /// The one report of the run, before any gate.
  let report: Report
  let contracts: [ContractResult]
  /// Why the recording cannot show that the run was clean; nil when it can.
  let obstacle: String?
  /// Why the leaks of a process were not looked for; nil when they were, in all.
  let leakObstacle: String?

  /// `started` is the index of the process that was started, where it is among them: it names the run.
  init(_ examined: [ExaminedProcess], started: Int?) {
    precondition(!examined.isEmpty)
    // A process without objects says nothing beside others: a test runner that lists tests, or has none of its kind.
    let hasObjects = examined.contains { !$0.isOnlyEmpty }
    let kept = examined.indices.filter { !hasObjects || !examined[$0].isOnlyEmpty || $0 == started }
    let processes = kept.map { examined[$0] }
    let leading = started.flatMap(kept.firstIndex) ?? processes.indices.max { Self.weight(processes[$0]) < Self.weight(processes[$1]) } ?? 0
    report = Report(combining: processes.map(\.report), leading: leading)
    contracts = (processes.first?.contracts.indices ?? 0..<0).compactMap { index in
      ContractResult(worstOf: processes.map { $0.contracts[index] })
    }
    leakObstacle = processes.compactMap(\.leakObstacle).first
    let blind = processes.first { $0.obstacle != nil && !($0.isOnlyEmpty && hasObjects) }
    obstacle = blind?.obstacle.map { sentence in
      processes.count > 1 ? "\(blind?.report.program.name ?? ""): \(sentence)" : sentence
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
