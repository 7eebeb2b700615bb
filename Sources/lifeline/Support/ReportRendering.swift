import LifelineAnalysis
import LifelineHeap
import LifelineReporting
import LifelineTrace

/// The report of a trace, ready for any format.
struct ReportRendering {
  let report: Report
  private let arguments: ReportArguments

  /// Reads and diagnoses; `judge` may write into the report what a gate makes of it.
  init(
    _ trace: Trace, _ arguments: ReportArguments, judge: (inout Report, Diagnosis, Names) throws -> Void = { _, _, _ in }
  ) throws {
    let progress = Progress()
    let names = Names(trace)
    let diagnosis = try Diagnosis(trace, heap: HeapSnapshotReader(trace).snapshot(), names: names, rules: arguments.rules.rules()) { progress.report($0) }
    progress.end()
    var report = ReportBuilder(trace, diagnosis, names: names, showsLate: arguments.late).build()
    try judge(&report, diagnosis, names)
    self.report = report
    self.arguments = arguments
  }

  func text(_ format: ReportFormat, isColored: Bool = false) throws -> String {
    let root = SourceRoot(WorkingFolder.path)
    let command = ["lifeline"] + CommandLine.arguments.dropFirst()
    return switch format {
    case .text: TextFormat(isColored: isColored).render(report)
    case .html: HTMLFormat(showsSource: !arguments.noSource, command: command, root: root).render(report)
    case .json: try JSONFormat().render(report)
    case .sarif: try SARIFFormat(root: root).render(report)
    case .junit: JUnitFormat(root: root).render(report)
    case .markdown: MarkdownFormat(root: root).render(report)
    case .github: GitHubFormat(root: root).render(report)
    }
  }
}
