import ArgumentParser
import LifelineAnalysis
import LifelineRecording
import LifelineScenarios
import LifelineTrace

struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Runs a program under many schedules until a race between lifetimes shows.",
    usage: """
      lifeline explore [options] -- PROGRAM [ARGUMENT ...]
      lifeline explore [options] -- swift test [OPTION ...]
      lifeline explore [options] run SCENARIO ...
      """,
    discussion: """
      The program is run once by itself, then again and again, each time with threads held back at other points, for \
      milliseconds at most: at retains and releases, unowned and weak references, allocations and deinits, locks, \
      semaphores, queues and tasks. Of 'swift test' the tests are explored, which are built once; a test that fails is \
      found, too. Once a run shows a use after free, an over-release, a trap or a crash, the shortest schedule that \
      still shows it is looked for, and the report has the number that repeats it with --seed. What the program prints \
      is not shown, and it reads nothing. Exits as 'check' does: 1 with a find, 0 (or the program's own status) \
      without one, which proves nothing, 2 when the tool failed, 3 when nothing could be seen.
      """)

  @OptionGroup var choice: ChoiceArguments

  @OptionGroup var start: StartArguments
  /// No trace is kept: whoever asks for one is told so.
  @OptionGroup(visibility: .hidden) var file: TraceFileArguments
  @OptionGroup var report: ReportArguments
  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments
  @OptionGroup var gate: GateArguments
  @Flag(help: .hidden) var updateBaseline = false
  @OptionGroup var output: OutputArguments

  @Option(help: "Schedules to try at most (default 100).")
  var runs: Int?

  @Option(name: .customLong("for"), help: "How long to try, instead: '30s', '5min'.")
  var span: String?

  @Option(help: "Try this schedule only, which an earlier exploration named; up to 10 runs, or --runs.")
  var seed: UInt64?

  @OptionGroup var pool: PoolArguments

  @Option(help: "Runs that say how often the schedule shows the find again.")
  var confirm = 10

  @Option(help: "With 'run': this variant only (repeatable).")
  var variant: [String] = []

  @Option(name: .customLong("from"), help: "With 'run': executable with the scenarios.")
  var executable: String?

  @Argument(help: "A program and its arguments, after --; or 'run' and names of scenarios.")
  var subject: [String]

  /// Whether scenarios are named, and no program that is called "run".
  private var namesScenarios: Bool { subject.first == "run" && !CommandLine.arguments.dropFirst(2).contains("--") }

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if subject.isEmpty { throw ValidationError("Name a program after --, or scenarios after 'run'.") }
    if namesScenarios, subject.count == 1 {
      throw ValidationError("Name a scenario; 'lifeline run --list' lists them.")
    }
    if !namesScenarios, !variant.isEmpty || executable != nil {
      throw ValidationError("--variant and --from go with 'run' and the names of scenarios.")
    }
    if file.output != nil {
      throw ValidationError("An exploration keeps no traces; record the program to have one.")
    }
    if updateBaseline { throw ValidationError("A baseline is updated by 'check', not by 'explore'.") }
    if runs != nil, span != nil { throw ValidationError("--runs and --for exclude each other.") }
    if let runs, !(1...10_000_000).contains(runs) { throw ValidationError("--runs takes a number from 1 to 10000000.") }
    if let span, GrowthCommand.span(span) == nil {
      throw ValidationError("--for takes a span such as 30s or 5min, not '\(span)'.")
    }
    if let seed, Schedule(number: seed) == nil {
      throw ValidationError(
        "\(seed) is the seed of no schedule; take one that 'lifeline explore' printed, or a number from 1 "
          + "to \(Schedule.lastSeed)."
      )
    }
    if !(1...1000).contains(confirm) { throw ValidationError("--confirm takes a number from 1 to 1000.") }
  }

  func run() throws {
    try Failure.told {
      try output.examine(report, replacing: recording.force)
      let examiner = RunExaminer(
        gate: RunGate(policy: try gate.policy(), updatesBaseline: false),
        examination: Examination(
          contracts: try gate.contracts(), rules: try rules.rules(), arguments: report, symbols: symbols))
      if namesScenarios {
        try explore(scenarios: Array(subject.dropFirst()), examiner)
      } else {
        let arguments = ProgramArguments(lastOfOurs: subject.count)
        try finish(outcome(of: subject[0], arguments, examiner))
      }
    }
  }

  private var options: RecordingOptions {
    var options = recording.options(checking: true, file)
    options.continuesByDefault = gate.acceptsFindings
    options.quiet = true
    return options
  }

  /// - Throws: `ExitStatus.noVerdict` where nothing could be seen.
  private func outcome(of program: String, _ arguments: ProgramArguments, _ examiner: RunExaminer) throws
    -> Exploration.Outcome
  {
    var explorer = Explorer(
      examiner: examiner, program: program, arguments: arguments, options: options, jobs: pool.jobs,
      limit: Double(pool.limit))
    guard let outcome = try Exploration(bound: bound, seed: seed, confirmations: confirm).outcome(&explorer) else {
      Console.printWrapped("Verdict: no verdict: \(explorer.obstacle ?? "no trace was written.")\n")
      throw ExitStatus.noVerdict
    }
    if outcome.report.exploration?.strategy == SchedulePlan.Strategy.natural.rawValue {
      Console.log("the program goes wrong without any schedule")
    }
    if !outcome.output.isEmpty {
      let run = outcome.isOutputNatural ? "by itself" : "in that run"
      Console.log("\(run) the program printed last:", quoting: outcome.output)
    }
    return outcome
  }

  private func explore(scenarios names: [String], _ examiner: RunExaminer) throws {
    let executable = try ScenarioExecutable(path: executable)
    let plays = try executable.scenarios(named: names, variants: variant).flatMap { scenario in
      scenario.variants.map { [scenario.name, $0.name] }
    }
    guard plays.count == 1 || output.isPrintedText(report) else {
      throw TraceError("These are \(plays.count) variants; choose one with --variant to have its report in a file.")
    }
    var statuses: [ExitCode] = []
    for play in plays {
      let arguments = ProgramArguments([executable.path, ScenarioMain.playArgument] + play)
      if plays.count > 1 { Console.print("\n\(play.joined(separator: " "))\n") }
      do {
        try finish(outcome(of: executable.path, arguments, examiner))
      } catch let status as ExitCode {
        statuses.append(status)
      }
    }
    if let status = statuses.first(where: { $0 == ExitStatus.findings }) ?? statuses.first(where: { !$0.isSuccess }) {
      throw status
    }
  }

  private var bound: Explorer.Bound {
    if let span, let nanoseconds = GrowthCommand.span(span) { return .seconds(Double(nanoseconds) / 1e9) }
    return .runs(runs ?? (seed == nil ? 100 : 10))
  }

  private func finish(_ outcome: Exploration.Outcome) throws {
    try output.write(outcome.report, report, replacing: recording.force)
    try ExitStatus.end(with: outcome.verdict, of: outcome.end)
  }
}
