import LifelineReporting

/// A finished report, ready for any format.
struct ReportRendering {
  let report: Report
  let arguments: ReportArguments

  func text(_ format: ReportFormat, isColored: Bool = false, width: Int? = nil) throws -> String {
    let root = SourceRoot(WorkingFolder.path)
    let command = ["lifeline"] + CommandLine.arguments.dropFirst()
    return switch format {
    case .text: TextFormat(isColored: isColored, width: width).render(report)
    case .html: HTMLFormat(showsSource: arguments.source, command: command, root: root).render(report)
    case .json: try JSONFormat().render(report)
    case .sarif: try SARIFFormat(root: root).render(report)
    case .junit: JUnitFormat(root: root).render(report)
    case .markdown: MarkdownFormat(root: root).render(report)
    case .github: GitHubFormat(root: root).render(report)
    }
  }
}
