import ArgumentParser
import LifelineReporting
import LifelineTrace

struct ReportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "report", abstract: "Renders the report of a trace.")

  @Argument(help: "The trace.")
  var trace: String

  @OptionGroup var report: ReportArguments
  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments

  @Option(name: .shortAndLong, help: "File for the report (default: standard output).")
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  func run() throws {
    try Failure.told {
      if let output { try OutputPlace.examine(output, besides: [trace]) }
      let isColored = output == nil && Console.isColored(disabled: report.noColor)
      let examination = Examination(contracts: [], rules: try rules.rules(), arguments: report, symbols: symbols)
      let process = try ExaminedProcess(path: trace, examination)
      var document = process.report
      if document.verdict == "clean", document.program.hasUnknownEnd {
        (document.verdict, document.noVerdictReason) = ("none", Report.unknownEnd)
      } else if document.verdict == "clean" {
        document.exception = process.sight.exception(sawLeaks: process.leakObstacle == nil)
      }
      let rendering = try ReportRendering(report: document, arguments: report).text(
        report.format, isColored: isColored, width: output == nil ? Console.width : nil)
      if let output {
        try OutputFile(path: output, replaces: force).write(rendering)
      } else {
        Console.print(rendering)
      }
    }
  }
}
