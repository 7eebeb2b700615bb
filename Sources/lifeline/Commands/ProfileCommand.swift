import ArgumentParser
import LifelineAnalysis
import LifelineCompaction
import LifelineLifetimes
import LifelineReporting
import LifelineTrace
import SystemPackage

struct ProfileCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

  static let configuration = CommandConfiguration(
    commandName: "profile", abstract: "Shows where reference counting costs: by class, function and line.",
    discussion: """
      Retains, releases, allocations, bytes and live objects, and avoidable pairs of retain and release. Nanoseconds \
      are estimates from fixed prices. Exits with 0; 2 when the trace, or a part of it, cannot be read (the rest is \
      shown), when --only and --ignore exclude all classes, or when no function matches --function.
      """)

  @Argument(help: "The trace.")
  var trace: String

  @OptionGroup var selection: SelectionArguments
  @OptionGroup var symbols: SymbolArguments

  @Option(help: "text, json or html (a flame graph).")
  var format = Format.text

  @Option(help: "Entries of each list (default: 20 of text, 300 of html, 1000 of json).")
  var top: Int?

  @Option(help: "Show the callers and callees of functions with this name ('*' matches).")
  var function: String?

  @Option(
    help: "An earlier trace to compare with; the flame graph shows the difference in two colors.")
  var against: String?

  @Option(help: "Nanoseconds per retain or release.")
  var priceOfReference = ProfilePrices().reference

  @Option(help: "Nanoseconds per allocation with its free.")
  var priceOfAllocation = ProfilePrices().allocation

  @Option(name: .shortAndLong, help: "File for the profile (default: standard output).")
  var output: String?

  @Flag(name: .shortAndLong, help: "Replace an existing file.")
  var force = false

  @Flag(help: "No colors, even on a terminal.")
  var noColor = false

  func validate() throws {
    if let top, top < 1 { throw ValidationError("--top must be at least 1.") }
    for price in [priceOfReference, priceOfAllocation] where !(0...1_000_000).contains(price) {
      throw ValidationError("Prices must be from 0 to 1000000 nanoseconds.")
    }
    if against != nil, function != nil { throw ValidationError("--against and --function cannot be combined.") }
    if function != nil, format != .text {
      throw ValidationError("--function needs --format text; json has the callers and callees of all functions.")
    }
  }

  func run() throws {
    try Failure.told {
      if let output { try OutputPlace.examine(output, besides: [trace] + (against.map { [$0] } ?? [])) }
      let file = try output.map { try CompleteFile(path: $0, replaces: force) }
      let trace = try Trace(opening: trace)
      let formerTrace = try against.map { try Trace(opening: $0) }
      try selection.examine(formerTrace.map { [trace, $0] } ?? [trace])
      let reading = try ProfileReading(trace, selection.selection, files: symbols.files)
      let prices = ProfilePrices(reference: priceOfReference, allocation: priceOfAllocation)
      let former = try formerTrace.map { try ProfileReading($0, selection.selection, files: symbols.files) }
      let text: String
      if let former, format != .html {
        text = try render(
          ProfileDifference(
            before: report(former, prices, .max), after: report(reading, prices, .max), top: count))
      } else {
        text = try render(report(reading, prices, count), reading.calls, former)
      }
      if let file {
        try file.write { _ = try $0.writeAll(Array(text.utf8)) }
      } else {
        Console.print(text)
      }
      let problems = reading.problems + (former?.problems ?? [])
      for problem in problems + reading.names.problems + (former?.names.problems ?? []) { Console.log(problem) }
      for trace in [trace] + (formerTrace.map { [$0] } ?? []) {
        if let sentence = UncountedClasses(trace).sentence { Console.log(sentence) }
      }
      if !problems.isEmpty { throw ExitStatus.toolFailure }
    }
  }

  private func report(_ reading: ProfileReading, _ prices: ProfilePrices, _ count: Int) -> ProfileReport {
    ProfileReportBuilder(reading.calls, prices: prices, top: count).build(
      program: reading.trace.tables.programPath, events: reading.profile.events, shortened: reading.profile.shortened)
  }

  private func render(_ difference: ProfileDifference) throws -> String {
    if format == .json { return try JSONFormat().render(difference) }
    return ProfileDifferenceTextFormat(
      isColored: output == nil && Console.isColored(disabled: noColor), width: output == nil ? Console.width : nil
    ).render(difference)
  }

  private var count: Int {
    if function != nil { return .max }
    return top ?? (format == .text ? 20 : format == .html ? 300 : 1000)
  }

  private func render(_ report: ProfileReport, _ calls: CallProfile, _ former: ProfileReading?) throws -> String {
    switch format {
    case .html:
      return FlameGraphFormat().render(report, calls, former: former.map { ($0.trace.tables.programPath, $0.calls) })
    case .json: return try JSONFormat().render(report)
    case .text:
      let pattern = function.map { NamePattern($0) }
      if let pattern, !report.functions.contains(where: { pattern.matches($0.function) }) {
        throw TraceError("No function in the profile matches '\(function ?? "")'; '*' stands for any text.")
      }
      let isColored = output == nil && Console.isColored(disabled: noColor)
      return ProfileTextFormat(
        isColored: isColored, pattern: pattern.map { pattern in { pattern.matches($0) } },
        width: output == nil ? Console.width : nil
      ).render(report)
    }
  }
}
