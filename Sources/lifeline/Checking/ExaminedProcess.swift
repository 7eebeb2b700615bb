import LifelineAnalysis
import LifelineCompaction
import LifelineGate
import LifelineHeap
import LifelineReporting
import LifelineTrace

/// The result for one process: its report, before any gate, and what a gate needs besides.
struct ExaminedProcess {
  let report: Report
  let contracts: [ContractResult]
  /// Why the recording cannot show that the process was clean; nil if it can.
  let obstacle: String?
  /// Whether the only problem was that the process had no recorded object.
  let isOnlyEmpty: Bool
  /// Why its leaks were not searched for; nil if they were.
  let leakObstacle: String?
  let sight: RunSight
  /// For a first run: the classes whose retains and releases would explain a finding, by its fingerprint.
  let classesOfFindings: [String: Set<String>]
  /// For a first run: classes whose objects may have been kept by transient holders.
  let unsureEnds: UnsureEndInspector.Classes

  /// Opens a trace, diagnoses it and describes the findings; `--per-test` also counts each test's objects. For a first
  /// run, at depth lives, it determines what a second one must record.
  ///
  /// - Throws: `TraceError` if the trace cannot be read.
  init(path: String, _ examination: Examination, isFirstRun: Bool = false) throws {
    let (contracts, rules, arguments) = (examination.contracts, examination.rules, examination.arguments)
    let trace = try Trace(opening: path)
    let progress = Progress()
    let names = Names(trace, files: examination.symbols.files)
    let diagnosis = try Diagnosis(trace, heap: HeapSnapshotReader(trace).snapshot(), names: names, rules: rules) {
      progress.report($0)
    }
    progress.end()
    obstacle = diagnosis.obstacle
    isOnlyEmpty = diagnosis.isOnlyEmpty
    leakObstacle = diagnosis.heap.map(\.refusal) ?? "reachability was not examined"
    if contracts.isEmpty {
      self.contracts = []
    } else {
      var inspector = ContractInspector(
        contracts, trace, diagnosis.summary, lost: leakObstacle == nil ? diagnosis.lostObjects : nil, names: names,
        rules: rules)
      self.contracts = try inspector.results()
    }
    let report = ReportBuilder(trace, diagnosis, names: names, showsLate: arguments.late).build()
    unsureEnds =
      isFirstRun
      ? try UnsureEndInspector(trace, names: names, rules: rules).classes(kept: diagnosis.keptByClosures)
      : UnsureEndInspector.Classes()
    classesOfFindings = Dictionary(zip(report.findings.map(\.fingerprint), diagnosis.findings.map(\.classes))) {
      $0.union($1)
    }
    sight = RunSight(trace.recording, namesObstacle: names.ownProblem)
    self.report = arguments.perTest ? try report.counting(TestInspector(trace, names: names).tests) : report
  }
}
