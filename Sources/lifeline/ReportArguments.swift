import ArgumentParser

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, json
}

/// How a report is rendered and where it goes.
struct ReportArguments: ParsableArguments {
  @Option(help: "text or json.")
  var format = ReportFormat.text

  @Flag(help: "No colours, even on a terminal.")
  var noColor = false
}
