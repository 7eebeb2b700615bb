import ArgumentParser
import LifelineAnalysis
import LifelineCompaction
import LifelineHeap
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

struct HistoryCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Prints every event of one object, and who held it.",
    discussion: "With --at or --finding, prints who held the object at that moment.")

  @Argument(help: "The trace.")
  var trace: String

  @Argument(help: "The object: Class#number, or an address. Optional with --finding.")
  var object: String?

  @Option(help: "Print who held the object after this event.")
  var at: UInt64?

  @Option(help: "Print who held the object at this finding of the report, counted from 1.")
  var finding: Int?

  @Option(help: "Print only this many of the last events.")
  var last: Int?

  @Flag(help: "Print only unbalanced retains and releases.")
  var unbalanced = false

  @Option(help: "Print only the events around this one: ten before it and ten after.")
  var around: UInt64?

  @Option(help: "text or json.")
  var format = Format.text

  @Flag(help: "Show the backtrace of every event.")
  var backtraces = false

  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments

  @Flag(help: "No colors, even on a terminal.")
  var noColor = false

  func validate() throws {
    if object == nil, finding == nil { throw ValidationError("Give an object, as Class#number or as an address.") }
    if at != nil, finding != nil { throw ValidationError("Give --at or --finding, not both.") }
    if let last, last < 1 { throw ValidationError("--last must be at least 1.") }
    if format == .json || at != nil || finding != nil, last != nil || unbalanced || around != nil {
      throw ValidationError("--last, --unbalanced and --around apply only to the text list of events.")
    }
    if format == .json, at != nil || finding != nil {
      throw ValidationError("--format json prints the whole history; remove --at or --finding.")
    }
    if let finding, finding < 1 { throw ValidationError("--finding takes the number of a finding, counted from 1.") }
  }

  func run() throws {
    try Failure.told {
      let trace = try Trace(opening: trace)
      let names = Names(trace, files: symbols.files)
      let rules = try rules.rules()
      var moment = at
      var wanted: Set<ObjectID> = []
      let summary: LifetimeSummary
      var diagnosis: Diagnosis?
      if let finding {
        let diagnosed = try Diagnosis(
          trace, heap: HeapSnapshotReader(trace).snapshot(), names: names, rules: rules)
        diagnosis = diagnosed
        summary = diagnosed.summary
        guard finding <= diagnosed.findings.count else {
          throw TraceError("There is no finding \(finding); the report has \(diagnosed.findings.count).")
        }
        let found = diagnosed.findings[finding - 1]
        // A leak belongs to the end.
        moment =
          found.kind == .leak
          ? summary.events
          : (found.place(.access) ?? found.place(.lastOwnerRelease) ?? found.places.first)?.event.sequence
        wanted = [found.object]
      } else {
        summary = try LifetimeSummary(trace)
      }
      if let wanted = at ?? around, wanted > summary.events {
        throw TraceError("There is no event \(wanted); the trace has \(summary.events).")
      }
      if let object { wanted = Set(try ObjectQuery(object).resolve(tellingDamageOf: trace, summary)) }
      let reading = try LifetimeReader.asReported(
        trace, summary, objects: wanted, names: names, rules: rules, diagnosis: diagnosis)
      Console.print(try render(reading, trace, names, summary, moment))
      for problem in trace.problems + summary.problems + names.problems { Console.log(problem) }
    }
  }

  private func render(
    _ reading: LifetimeReader, _ trace: Trace, _ names: Names, _ summary: LifetimeSummary, _ moment: UInt64?
  ) throws -> String {
    let isColored = Console.isColored(disabled: noColor)
    if let moment {
      let format = HoldersFormat(
        trace, names: names, summary: summary, backtraces: reading.backtraces, isColored: isColored)
      return reading.lifetimes.map { format.render($0, at: moment) }.joined(separator: "\n").wrapped(to: Console.width)
    }
    if format == .json {
      return try JSONFormat().render(
        reading.lifetimes, trace, names: names, summary: summary, backtraces: reading.backtraces)
    }
    let format = HistoryFormat(
      trace, names: names, summary: summary, backtraces: reading.backtraces, isColored: isColored,
      showsBacktraces: backtraces,
      selection: HistorySelection(last: last, unbalanced: unbalanced, around: around), width: Console.width)
    return reading.lifetimes.map(format.render).joined(separator: "\n").wrapped(to: Console.width)
  }
}
