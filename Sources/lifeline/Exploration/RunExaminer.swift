import LifelineAnalysis
import LifelineCompaction
import LifelineGate
import LifelineReporting
import LifelineTrace

/// Diagnoses a run like `check`, and judges it by the gate.
struct RunExaminer {
  let gate: RunGate
  let examination: Examination

  /// Whether only a diagnosis can find what fails the gate.
  var judgesEveryRun: Bool { !examination.contracts.isEmpty || gate.policy.failOn.choices != ["errors"] }

  /// - Throws: `TraceError` if a trace cannot be read.
  func judge(_ run: ExploredRun) throws -> RunGate.Judgment {
    let processes = try run.result.subjects.map {
      try ExaminedProcess(path: $0, examination)
    }
    return gate.judge(ExaminedRun(processes, started: run.result.trace.flatMap(run.result.subjects.firstIndex)))
  }

  /// The holds of a run, with names.
  func holds(of run: ExploredRun) throws -> [Report.Exploration.Hold] {
    try run.result.subjects.flatMap { path in
      let trace = try Trace(opening: path)
      return try HeldPoints(trace, names: Names(trace, files: examination.symbols.files)).holds
    }
  }
}
