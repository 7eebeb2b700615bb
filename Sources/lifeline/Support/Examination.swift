import LifelineAnalysis
import LifelineGate
import LifelineTrace

/// How traces are examined: the contracts and hold rules, and what the report shall tell.
struct Examination {
  let contracts: [Contract]
  let rules: HoldRules
  let arguments: ReportArguments

  /// - Throws: `TraceError` when a trace cannot be read.
  func examine(_ recorded: CheckSubject.Recorded, isFirstRun: Bool = false) throws -> ExaminedRun {
    let processes = try recorded.traces.map {
      try ExaminedProcess(path: $0, contracts: contracts, rules: rules, arguments: arguments, isFirstRun: isFirstRun)
    }
    return ExaminedRun(processes, started: recorded.started)
  }
}
