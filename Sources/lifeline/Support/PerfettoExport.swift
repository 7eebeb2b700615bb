import LifelineAnalysis
import LifelineExport
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineSymbolication
import LifelineTrace

/// What a Perfetto trace shows of a recording: its findings, their objects, and the first others of the selection.
struct PerfettoExport {
  /// Objects besides those of findings.
  static let usualLimit = 100

  private let trace: Trace
  private let names: Names
  private let timelines: [Report.ObjectTimeline]
  private let findings: [Report.Finding]
  private let classes: [ClassTotals]
  /// What is damaged: the rest is shown.
  let problems: [String]
  /// Of the first objects, those that have too many events to be shown.
  let leftOut: Int
  /// Retains and releases of all objects that are shown besides those of findings: what is shown is in memory at once.
  static var eventLimit: Int { FirstObjects.eventLimit }

  /// - Throws: `TraceError` when the trace cannot be read.
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
    let lives = chosen.shown
    leftOut = chosen.first.count - lives.count
    let objects = Set(
      lives.map {
        ObjectID(className: profile.classes[$0.classIndex].name, number: $0.number, address: $0.address)
      })
    timelines = try TimelineReader(trace, diagnosis.summary, names: names).timelines(
      of: objects.union(diagnosis.findings.map(\.object)))
    classes = diagnosis.summary.tracker.classes.filter { selection.isWanted($0.name) }
    problems = trace.problems + diagnosis.summary.problems
    self.trace = trace
    self.names = names
  }

  func write(to sink: ByteSink) throws {
    try PerfettoFormat(trace, names: names).write(timelines, findings: findings, classes: classes, to: sink)
  }
}

/// The first objects in order of allocation, of many that come in the order of their ends.
private struct FirstObjects {
  static let eventLimit = 250_000

  private let limit: Int
  private var candidates: [ObjectSummary] = []

  init(limit: Int) { self.limit = limit }

  mutating func add(_ life: ObjectSummary) {
    candidates.append(life)
    if candidates.count > 2 * limit + 1024 { candidates = first }
  }

  var first: [ObjectSummary] {
    Array(candidates.sorted { $0.allocation.sequence < $1.allocation.sequence }.prefix(limit))
  }

  /// Without those that have more events than the others before them leave room for.
  var shown: [ObjectSummary] {
    var room = Self.eventLimit
    return first.filter { life in
      let events = life.retains + life.releases
      guard events <= room else { return false }
      room -= events
      return true
    }
  }
}
