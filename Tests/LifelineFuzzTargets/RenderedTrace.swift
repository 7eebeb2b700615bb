import LifelineAnalysis
import LifelineExport
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineTrace
import SystemPackage

/// A trace in each form that commands print or write.
struct RenderedTrace {
  private let trace: Trace
  private let names: Names
  private let diagnosis: Diagnosis
  private let report: Report

  /// - Throws: `TraceError` if the trace cannot be read.
  init(_ path: String, rules: HoldRules) throws {
    trace = try Trace(opening: path)
    names = Names(trace)
    diagnosis = try Diagnosis(trace, heap: HeapSnapshotReader(trace).snapshot(), names: names, rules: rules)
    report = ReportBuilder(trace, diagnosis, names: names, showsLate: true).build()
  }

  /// The formats of `report` and `check`, `history`, `objects` and `profile`.
  func reportAll() throws {
    _ = TextFormat(width: 80).render(report)
    _ = HTMLFormat().render(report)
    _ = try JSONFormat().render(report)
    _ = try SARIFFormat().render(report)
    _ = JUnitFormat().render(report)
    _ = MarkdownFormat().render(report)
    _ = GitHubFormat().render(report)
    try reportLives()
    var list = ObjectList(order: .size, limit: 10, liveOnly: false)
    let profile = try ProfileReader(trace) { list.add($0) }.read()
    _ = ObjectListFormat(width: 80).render(ObjectListReport(list, profile, trace, names: names))
    let calls = CallProfile(profile, names: names, late: LateObject.all(diagnosis))
    let counts = ProfileReportBuilder(calls, top: 10).build(
      program: trace.tables.programPath, events: profile.events, shortened: profile.shortened)
    _ = ProfileTextFormat(width: 80).render(counts)
    _ = try JSONFormat().render(counts)
  }

  private func reportLives() throws {
    let live = diagnosis.summary.tracker.liveObjects.prefix(2).map(diagnosis.summary.tracker.id)
    let reading = try LifetimeReader(
      trace, diagnosis.summary, objects: Set(live + diagnosis.findings.map(\.object)), names: names)
    let history = HistoryFormat(
      trace, names: names, summary: diagnosis.summary, backtraces: reading.backtraces, showsBacktraces: true, width: 80)
    let holders = HoldersFormat(trace, names: names, summary: diagnosis.summary, backtraces: reading.backtraces)
    for life in reading.lifetimes {
      _ = history.render(life)
      _ = holders.render(life, at: diagnosis.summary.events / 2)
    }
  }

  /// The formats of `export`, into the file.
  func exportAll(to file: FileDescriptor, path: String) throws {
    let sink = ByteSink(file)
    let timelines = try TimelineReader(trace, diagnosis.summary, names: names).timelines(
      of: Set(diagnosis.findings.map(\.object)))
    try PerfettoFormat(trace, names: names).write(
      timelines, findings: report.findings, classes: diagnosis.summary.tracker.classes, to: sink)
    var sample = ObjectSample(limit: 10)
    let profile = try ProfileReader(trace) { sample.add($0) }.read()
    let calls = CallProfile(profile, names: names, late: LateObject.all(diagnosis))
    try PprofFormat(trace, hasLate: true).write(calls, to: sink)
    try CollapsedFormat(metric: .bytes, startsWithClass: true).write(calls, to: sink)
    try SpeedscopeFormat(startsWithClass: false).write(
      calls, name: trace.tables.programPath, exporter: "lifeline", to: sink)
    try sink.flush()
    let columns = ColumnFormat(
      trace, ColumnOrigin(trace, host: "host", version: nil), profile, lives: sample, findings: report.findings,
      names: names, isDamaged: false)
    for table in ColumnTable.allCases { try columns.write(table, to: file) }
    try file.resize(to: 0)
    let database = try SQLiteFormat(trace, path: path, name: path)
    for life in sample.lives { try database.add(life) }
    try database.finish(profile, names: names, findings: report.findings, problems: [])
  }
}
