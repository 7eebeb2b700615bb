import ArgumentParser

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
