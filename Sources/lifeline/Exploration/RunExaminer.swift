import LifelineAnalysis
import LifelineCompaction
import LifelineGate
import LifelineReporting
import LifelineTrace

/// Diagnoses a run as `check` does, and holds it against the gate.
struct RunExaminer {
  let gate: RunGate
  let examination: Examination

  /// Whether what fails the gate may be something that only a diagnosis finds.
  var judgesEveryRun: Bool { !examination.contracts.isEmpty || gate.policy.failOn.choices != ["errors"] }

  /// - Throws: `TraceError` when a trace cannot be read.
  func judge(_ run: ExploredRun) throws -> RunGate.Judgment {
    let processes = try run.result.subjects.map {
      try ExaminedProcess(path: $0, examination)
    }
    return gate.judge(ExaminedRun(processes, started: run.result.trace.flatMap(run.result.subjects.firstIndex)))
  }

  /// The holds of a run, named.
  func holds(of run: ExploredRun) throws -> [Report.Exploration.Hold] {
    try run.result.subjects.flatMap { path in
      let trace = try Trace(opening: path)
      return try HeldPoints(trace, names: Names(trace, files: examination.symbols.files)).holds
    }
  }
}
