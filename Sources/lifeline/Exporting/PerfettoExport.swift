import LifelineAnalysis
import LifelineExport
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// The contents of a Perfetto trace: the findings, their objects, and the first others of the selection.
struct PerfettoExport {
  /// Objects besides those of findings.
  static let usualLimit = 100
  /// Maximum number of retains and releases of all these together, because what is shown of them is in memory at once.
  static let eventLimit = 250_000

  private let trace: Trace
  private let names: Names
  private let timelines: [Report.ObjectTimeline]
  private let findings: [Report.Finding]
  private let classes: [ClassTotals]
  /// Sentences about damage; the rest is shown.
  let problems: [String]
  /// Those of the first objects with too many events to be shown.
  let leftOut: [ObjectID]

  /// - Throws: `TraceError` if the trace cannot be read.
  init(_ trace: Trace, _ selection: EventSelection, limit: Int, files: SymbolFiles) throws {
    let names = Names(trace, files: files)
    let progress = Progress()
    defer { progress.end() }
    let diagnosis = try Diagnosis(trace, heap: HeapSnapshotReader(trace).snapshot(), names: names) {
      progress.report($0)
    }
    findings = ReportBuilder(trace, diagnosis, names: names).build().findings
    var chosen = FirstObjects(limit: limit)
    let profile = try ProfileReader(trace, selection) { chosen.add($0) }.read { progress.report($0) }
    let inFindings = Set(diagnosis.findings.map(\.object))
    var shown = inFindings, leftOut: [ObjectID] = [], room = Self.eventLimit
    for life in chosen.lives {
      let id = ObjectID(className: profile.classes[life.classIndex].name, number: life.number, address: life.address)
      if inFindings.contains(id) { continue }
      let events = life.retains + life.releases
      if events > room {
        leftOut.append(id)
      } else {
        shown.insert(id)
        room -= events
      }
    }
    self.leftOut = leftOut
    timelines = try TimelineReader(trace, diagnosis.summary, names: names, stores: diagnosis.stores)
      .timelines(of: shown)
    classes = diagnosis.summary.tracker.classes.filter { selection.isWanted($0.name) }
    problems = trace.problems + diagnosis.summary.problems
    self.trace = trace
    self.names = names
  }

  func write(to sink: ByteSink) throws {
    try PerfettoFormat(trace, names: names).write(timelines, findings: findings, classes: classes, to: sink)
  }
}

/// The first objects in order of allocation, among many that come in the order of their ends.
private struct FirstObjects {
  private let limit: Int
  private var candidates: [ObjectSummary] = []

  init(limit: Int) { self.limit = limit }

  mutating func add(_ life: ObjectSummary) {
    candidates.append(life)
    if candidates.count > 2 * limit + 1024 { candidates = lives }
  }

  var lives: [ObjectSummary] {
    Array(candidates.sorted { $0.allocation.sequence < $1.allocation.sequence }.prefix(limit))
  }
}
