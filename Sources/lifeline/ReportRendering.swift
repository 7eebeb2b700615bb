import LifelineAnalysis
import LifelineReporting
import LifelineTrace

/// Reads, diagnoses and renders a trace.
struct ReportRendering {
  let report: Report
  let text: String

  /// Reads, diagnoses and renders; `judge` may write into the report what a gate makes of it.
  init(
    _ trace: Trace, _ arguments: ReportArguments, isColored: Bool, judge: (inout Report, Diagnosis) throws -> Void = { _, _ in }
  ) throws {
    let progress = Progress()
    let names = Names(trace)
    let diagnosis = try Diagnosis(trace, names: names, rules: arguments.rules.rules()) { progress.report($0) }
    progress.end()
    var report = ReportBuilder(trace, diagnosis, names: names).build()
    try judge(&report, diagnosis)
    self.report = report
    let root = SourceRoot(WorkingFolder.path)
    switch arguments.format {
    case .text: text = TextFormat(isColored: isColored).render(report)
    case .html:
      let command = ["lifeline"] + CommandLine.arguments.dropFirst()
      text = HTMLFormat(showsSource: !arguments.noSource, command: command, root: root).render(report)
    case .json: text = try JSONFormat().render(report)
    case .sarif: text = try SARIFFormat(root: root).render(report)
    case .junit: text = JUnitFormat(root: root).render(report)
    case .markdown: text = MarkdownFormat(root: root).render(report)
    case .github: text = GitHubFormat(root: root).render(report)
    }
  }
}
