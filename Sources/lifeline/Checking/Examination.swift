import LifelineAnalysis
import LifelineGate
import LifelineTrace

/// How traces are examined: the contracts and hold rules, and the contents of the report.
struct Examination {
  let contracts: [Contract]
  let rules: HoldRules
  let arguments: ReportArguments
  let symbols: SymbolArguments

  /// - Throws: `TraceError` if a trace cannot be read.
  func examine(_ recorded: CheckSubject.Recorded, isFirstRun: Bool = false) throws -> ExaminedRun {
    let processes = try recorded.traces.map {
      try ExaminedProcess(path: $0, self, isFirstRun: isFirstRun)
    }
    return ExaminedRun(processes, started: recorded.started)
  }
}
