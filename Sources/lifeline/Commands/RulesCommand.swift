import ArgumentParser
import LifelineAnalysis
import LifelineReporting
import LifelineTrace

struct RulesCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "Lists the hold rules, which identify passing holders.",
    discussion: """
      A hold rule identifies a framework activity by the functions that release what it held. --format json prints \
      the built-in file; pass a file of your own in the same format with --rules to report, check, history and \
      replay.
      """)

  @OptionGroup var rules: RuleArguments

  @Option(help: "text, or json for the built-in file.")
  var format = Format.text

  func run() throws {
    try Failure.told {
      let inForce = try rules.rules()
      switch format {
      case .json: Console.print(HoldRules.builtIn)
      case .text: Console.printWrapped(RulesFormat().render(inForce))
      }
    }
  }
}
