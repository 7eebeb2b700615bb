import ArgumentParser
import Glibc
import LifelineExpectations
import LifelineReporting
import LifelineScenarios
import LifelineTrace

struct RunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Runs scenarios under the probe and compares the findings with the expected ones.",
    discussion: """
      Each variant of a scenario runs in its own process, recorded with zombies. Exits with 0 when everything is as \
      expected, 1 when not, 2 when the tool failed. The scenarios are those of lifeline-scenarios, which 'swift build' \
      puts next to lifeline, or of your own executable that imports LifelineScenarios.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "Names of scenarios.")
  var scenarios: [String] = []

  @Flag(help: "Run every scenario.")
  var all = false

  @Flag(help: "List the scenarios.")
  var list = false

  @Option(help: "Run only this variant (repeatable).")
  var variant: [String] = []

  @Option(help: "text or json.")
  var format = Format.text

  @Option(name: .customLong("from"), help: "The executable that contains the scenarios.")
  var executable: String?

  @Option(help: "Existing folder for the text reports, SCENARIO/VARIANT.txt.")
  var reports: String?

  @OptionGroup var pool: PoolArguments

  func validate() throws {
    if !list, !all, scenarios.isEmpty { throw ValidationError("Give a scenario, --all or --list.") }
    if all, !scenarios.isEmpty { throw ValidationError("Give scenarios or --all, not both.") }
  }

  func run() throws {
    try Failure.told {
      let executable = try ScenarioExecutable(path: executable)
      let chosen = try executable.scenarios(named: scenarios, variants: variant)
      if list {
        let text = ScenarioListText(chosen)
        if format == .json { Console.print(try text.json()) } else { Console.printWrapped(text.text) }
        return
      }
      let results = try ScenarioRunner(executable: executable.path, jobs: pool.jobs, limit: pool.limit).results(
        of: chosen)
      if let reports { try write(results, into: reports) }
      Console.print(format == .json ? try ResultDocument(results).json() : ResultTable().render(results))
      if results.contains(where: { !$0.failures.isEmpty }) { throw ExitStatus.findings }
    }
  }

  private func write(_ results: [ScenarioResult], into folder: String) throws {
    for result in results {
      guard let report = result.report else { continue }
      mkdir("\(folder)/\(result.scenario)", 0o777)
      try OutputFile(path: "\(folder)/\(result.scenario)/\(result.variant.name).txt", replaces: true)
        .write(result.output + (result.output.isEmpty ? "" : "\n") + TextFormat().render(report))
    }
  }
}
