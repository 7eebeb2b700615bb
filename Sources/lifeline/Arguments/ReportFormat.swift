import ArgumentParser

/// A format of reports.
enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, html, json, sarif, junit, markdown, github

  /// A text that every report by lifeline in this format contains.
  var mark: String {
    switch self {
    case .text: "\nVerdict: "
    case .html: "<meta name=\"generator\" content=\"lifeline\">"
    case .json: "\"schema\" : \"lifeline.report/1\""
    case .sarif: "\"Lifeline\""
    case .junit: "<testsuites name=\"lifeline\""
    case .markdown: "## Lifeline: "
    case .github: "title=Lifeline::"
    }
  }
}
