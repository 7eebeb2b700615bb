import LifelineAnalysis
import LifelineReporting
import LifelineTrace

/// Reads, diagnoses and renders a trace.
struct ReportRendering {
  let diagnosis: Diagnosis
  let text: String

  init(_ trace: Trace, _ arguments: ReportArguments, isColored: Bool) throws {
    let progress = Progress()
    diagnosis = try Diagnosis(trace) { progress.report($0) }
    progress.end()
    let report = ReportBuilder(trace, diagnosis).build()
    let root = SourceRoot(WorkingFolder.path)
    switch arguments.format {
    case .text: text = TextFormat(isColored: isColored).render(report)
    case .json: text = try JSONFormat().render(report)
    case .sarif: text = try SARIFFormat(root: root).render(report)
    case .junit: text = JUnitFormat(root: root).render(report)
    case .markdown: text = MarkdownFormat(root: root).render(report)
    case .github: text = GitHubFormat(root: root).render(report)
    }
  }
}
