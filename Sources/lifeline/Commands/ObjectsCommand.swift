import ArgumentParser
import LifelineAnalysis
import LifelineCompaction
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

struct ObjectsCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "objects", abstract: "Lists the objects of a trace, one by one.",
    discussion: """
      lifeline objects run.lifeline 'Room*' --live --sort size

      An age ends with the object, or with the recording. Exits with 0; 2 when the trace, or a part of it, cannot be \
      read, or when no class matches.
      """)

  @Argument(help: "The trace.")
  var trace: String

  @OptionGroup var symbols: SymbolArguments

  @Argument(help: "Classes ('*' matches; default: all).")
  var classes: [String] = []

  @Flag(help: "List only objects that were live at the end.")
  var live = false

  @Option(help: "allocated (oldest first), size, age, or retains (most first).")
  var sort = ObjectOrder.allocated

  @Option(help: "Maximum number of objects to list.")
  var limit = 50

  @Option(help: "text or json.")
  var format = Format.text

  @Flag(help: "No colors, even on a terminal.")
  var noColor = false

  func validate() throws {
    if !(1...1_000_000).contains(limit) { throw ValidationError("--limit takes a number from 1 to 1000000.") }
  }

  func run() throws {
    try Failure.told {
      let trace = try Trace(opening: trace)
      var list = ObjectList(order: sort, limit: limit, liveOnly: live)
      let patterns = classes.map { NamePattern($0) }
      let selection = EventSelection { name in patterns.isEmpty || patterns.contains { $0.matchesClass(name) } }
      let progress = Progress()
      let profile = try ProfileReader(trace, selection) { list.add($0) }.read { progress.report($0) }
      progress.end()
      try refuseUnknown(patterns, among: profile.classes.map(\.name))
      let names = Names(trace, files: symbols.files)
      let report = ObjectListReport(list, profile, trace, names: names)
      switch format {
      case .text:
        let isColored = Console.isColored(disabled: noColor)
        Console.print(ObjectListFormat(isColored: isColored, width: Console.width).render(report))
        if let first = report.objects.first {
          let command = ShellText(["lifeline", "history", self.trace, "\(first.object)"]).text
          Console.log("for one object's events: \(command)")
        }
      case .json: Console.print(try JSONFormat().render(report))
      }
      let problems = trace.problems + profile.problems
      for problem in problems + names.problems { Console.log(problem) }
      if let sentence = UncountedClasses(trace).sentence { Console.log(sentence) }
      if !problems.isEmpty { throw ExitStatus.toolFailure }
    }
  }

  /// A pattern that matches no class is misspelled.
  private func refuseUnknown(_ patterns: [NamePattern], among names: [String]) throws {
    for (pattern, text) in zip(patterns, classes) where !names.contains(where: pattern.matchesClass) {
      throw TraceError(
        "No object of the class '\(text)' was recorded.\(RecordedClasses(names).suggestion(for: text))")
    }
  }
}

extension ObjectOrder: ExpressibleByArgument {}
