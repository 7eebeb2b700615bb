import ArgumentParser
import LifelineGate
import LifelineReporting
import LifelineTrace

/// Where the reports of `check` and `explore` go.
struct OutputArguments: ParsableArguments {
  @Option(name: .customLong("report"), help: "File for the report (default: standard output).")
  var reportFile: String?

  @Option(
    name: .customLong("also"),
    help: "FORMAT=FILE: also write the report in another format of --format (repeatable).",
    transform: ReportFile.init)
  var otherReports: [ReportFile] = []

  /// Whether one of the reports would go to a file.
  func names(_ path: String?) -> Bool { otherReports.contains { $0.path == path } }

  /// Whether only text on standard output is written, which allows several reports.
  func isPrintedText(_ arguments: ReportArguments) -> Bool {
    all(arguments.format).isEmpty && arguments.format == .text
  }

  private func all(_ format: ReportFormat) -> [ReportFile] {
    otherReports + (reportFile.map { [ReportFile(format: format, path: $0)] } ?? [])
  }

  func validate() throws {
    let paths = otherReports.map(\.path) + (reportFile.map { [$0] } ?? [])
    if let twice = Dictionary(grouping: paths, by: { $0 }).first(where: { $0.value.count > 1 })?.key {
      throw ValidationError("\(twice) is named for two reports; give each its own file.")
    }
  }

  /// Checks that all can be written, before the work that leads to them; `traces` must not be overwritten.
  ///
  /// - Throws: `TraceError` if one cannot.
  func examine(_ arguments: ReportArguments, replacing: Bool, besides traces: [String] = []) throws {
    for output in all(arguments.format) {
      try OutputPlace.examine(output.path, besides: traces)
      try OutputFile(path: output.path, replaces: replacing).examine(format: output.format)
    }
  }

  /// Writes the reports, and prints the one without a file.
  ///
  /// - Throws: `TraceError` if one cannot be written.
  func write(_ report: Report, _ arguments: ReportArguments, replacing: Bool) throws {
    let rendering = ReportRendering(report: report, arguments: arguments)
    for output in all(arguments.format) {
      try OutputFile(path: output.path, replaces: replacing).writeReport(
        rendering.text(output.format), format: output.format)
    }
    if reportFile == nil {
      let isColored = Console.isColored(disabled: arguments.noColor)
      Console.print(try rendering.text(arguments.format, isColored: isColored, width: Console.width))
    }
  }
}
