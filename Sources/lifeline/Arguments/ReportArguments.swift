import ArgumentParser

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

/// How a report is rendered and where it goes.
struct ReportArguments: ParsableArguments {
  @Option(help: "text, html, json, sarif, junit, markdown or github.")
  var format = ReportFormat.text

  @Flag(help: "List every object that outlived its last owner, even without consequences.")
  var late = false

  @Flag(help: "Count objects, bytes, retains and findings per test.")
  var perTest = false

  @Flag(help: "No colors, even on a terminal.")
  var noColor = false

  @Flag(inversion: .prefixedNo, help: "Source lines in an HTML report.")
  var source = true
}
