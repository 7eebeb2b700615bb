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
      Each variant of a scenario is a process of its own, recorded with zombies. Exits 0 when all is as expected, \
      1 when it is not, 2 when the tool failed. The scenarios are those of lifeline-scenarios, which 'swift build' \
      puts beside lifeline, or of an executable of yours that imports LifelineScenarios.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

  @Argument(help: "Names of scenarios.")
  var scenarios: [String] = []

  @Flag(help: "Run every scenario.")
  var all = false

  @Flag(help: "List the scenarios.")
  var list = false

  @Option(help: "Run this variant only (repeatable).")
  var variant: [String] = []

  @Option(help: "text or json.")
  var format = Format.text

  @Option(name: .customLong("from"), help: "Executable with the scenarios.")
  var executable: String?

  @Option(help: "Existing folder for the text report of each play, SCENARIO/VARIANT.txt.")
  var reports: String?

  @OptionGroup var pool: PoolArguments

  func validate() throws {
    if !list, !all, scenarios.isEmpty { throw ValidationError("Name a scenario, or say --all or --list.") }
    if all, !scenarios.isEmpty { throw ValidationError("Name scenarios or say --all, not both.") }
  }

  func run() throws {
    try Failure.told {
      let executable = try ScenarioExecutable(path: executable)
      let chosen = try executable.scenarios(named: scenarios, variants: variant)
      if list {
        Console.print(format == .json ? try ScenarioListText(chosen).json() : ScenarioListText(chosen).text)
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
