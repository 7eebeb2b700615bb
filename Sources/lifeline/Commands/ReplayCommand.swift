import ArgumentParser
import Glibc
import LifelineAnalysis
import LifelineCompaction
import LifelineLifetimes
import LifelineReporting
import LifelineTrace

struct ReplayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay",
    abstract: "Steps through one object's life, forwards and backwards.",
    discussion: """
      On a terminal: → or space for the next step, ← for the previous one, g for the first, G for the last, f for the \
      final release, q to quit. Without a terminal all steps are printed.
      """)

  @Argument(help: "The trace.")
  var trace: String

  @Argument(help: "The object: Class#number, or an address.")
  var object: String

  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments

  @Flag(help: "No colors, even on a terminal.")
  var noColor = false

  func run() throws {
    try Failure.told {
      let trace = try Trace(opening: trace)
      let names = Names(trace, files: symbols.files)
      let summary = try LifetimeSummary(trace)
      let ids = try ObjectQuery(object).resolve(tellingDamageOf: trace, summary)
      let reading = try LifetimeReader.asReported(
        trace, summary, objects: Set(ids.prefix(1)), names: names, rules: rules.rules())
      for problem in trace.problems + summary.problems { Console.log(problem) }
      guard let lifetime = reading.lifetimes.first, !lifetime.history.rows.isEmpty else { return }
      let format = HoldersFormat(
        trace, names: names, summary: summary, backtraces: reading.backtraces,
        isColored: Console.isColored(disabled: noColor))
      let count = lifetime.history.rows.count
      if isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 {
        let final = lifetime.history.rows.firstIndex(where: \.isFinalRelease) ?? count - 1
        Stepper(count: count, landmark: final).run { format.step(lifetime, $0).wrapped(to: Console.width) }
      } else {
        Console.printWrapped((0..<count).map { format.step(lifetime, $0) }.joined(separator: "\n"))
      }
    }
  }
}
