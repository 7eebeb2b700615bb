import ArgumentParser

enum ReportFormat: String, ExpressibleByArgument, CaseIterable {
  case text, html, json, sarif, junit, markdown, github
}

/// How a report is rendered and where it goes.
struct ReportArguments: ParsableArguments {
  @Option(help: "text, html, json, sarif, junit, markdown or github.")
  var format = ReportFormat.text

  @OptionGroup var rules: RuleArguments

  @Flag(help: "Tell each object that outlived its last owner, also where nothing came of it.")
  var late = false

  @Flag(help: "No colours, even on a terminal.")
  var noColor = false

  @Flag(help: "No source lines in an HTML report.")
  var noSource = false
}
