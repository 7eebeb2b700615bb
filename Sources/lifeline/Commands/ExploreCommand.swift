import ArgumentParser
import LifelineAnalysis
import LifelineRecording
import LifelineReporting
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
      The program runs once undisturbed, then repeatedly with threads held back at different points, for \
      milliseconds at most: at retains and releases, unowned and weak references, allocations and deinits, locks, \
      semaphores, queues and tasks. With 'swift test' the tests are built once and explored; a test that fails \
      counts as a problem. When a run shows a use after free, an over-release, a trap or a crash, the shortest \
      schedule that still shows it is searched for, and the report has the number that repeats it with --seed. The \
      program's output is not shown, and its standard input is empty. Exits like 'check': 1 when a problem was \
      found, 0 (or the program's own status) when none was, which proves nothing, 2 when the tool failed, 3 when \
      nothing could be observed, 127 when the program could not be started.
      """)

  @OptionGroup var choice: ChoiceArguments

  @OptionGroup var start: StartArguments
  /// No trace is kept; requesting one is rejected.
  @OptionGroup(visibility: .hidden) var file: TraceFileArguments
  @OptionGroup var report: ReportArguments
  @OptionGroup var rules: RuleArguments
  @OptionGroup var symbols: SymbolArguments
  @OptionGroup var gate: GateArguments
  @Flag(help: .hidden) var updateBaseline = false
  @OptionGroup var output: OutputArguments

  @Option(help: "Maximum number of schedules to try (default 100).")
  var runs: Int?

  @Option(name: .customLong("for"), help: "Try schedules for this long instead: '30s', '5min'.")
  var span: String?

  @Option(help: "Try only this schedule of an earlier exploration; up to 10 runs, or --runs.")
  var seed: UInt64?

  @OptionGroup var pool: PoolArguments

  @Option(help: "Number of runs that confirm the schedule.")
  var confirm = 10

  @Option(help: "With 'run': only this variant (repeatable).")
  var variant: [String] = []

  @Option(name: .customLong("from"), help: "With 'run': the executable that contains the scenarios.")
  var executable: String?

  @Argument(help: "A program and its arguments after --, or 'run' and names of scenarios.")
  var subject: [String]

  /// Whether scenarios are named, rather than a program called "run".
  private var namesScenarios: Bool { subject.first == "run" && !CommandLine.arguments.dropFirst(2).contains("--") }

  private var recording: RecordingArguments { RecordingArguments(choice, start) }

  func validate() throws {
    try recording.validate()
    if subject.isEmpty { throw ValidationError("Give a program after --, or scenarios after 'run'.") }
    if namesScenarios, subject.count == 1 {
      throw ValidationError("Give a scenario; 'lifeline run --list' lists them.")
    }
    if !namesScenarios, !variant.isEmpty || executable != nil {
      throw ValidationError("--variant and --from require 'run' and the names of scenarios.")
    }
    if file.output != nil {
      throw ValidationError("An exploration keeps no traces; use 'lifeline record' to get one.")
    }
    if updateBaseline { throw ValidationError("Use 'check' to update a baseline, not 'explore'.") }
    if runs != nil, span != nil { throw ValidationError("--runs and --for cannot be combined.") }
    if let runs, !(1...10_000_000).contains(runs) { throw ValidationError("--runs takes a number from 1 to 10000000.") }
    if let span, GrowthCommand.span(span) == nil {
      throw ValidationError("--for takes a time such as 30s or 5min, not '\(span)'.")
    }
    if let seed, Schedule(number: seed) == nil {
      throw ValidationError(
        "\(seed) is not a valid seed; use one that 'lifeline explore' printed, or a number from 1 "
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

  /// - Throws: `ExitStatus.noVerdict` if nothing could be observed.
  private func outcome(of program: String, _ arguments: ProgramArguments, _ examiner: RunExaminer) throws
    -> Exploration.Outcome
  {
    var explorer = Explorer(
      examiner: examiner, program: program, arguments: arguments, options: options, jobs: pool.jobs,
      limit: Double(pool.limit))
    guard let outcome = try Exploration(bound: bound, seed: seed, confirmations: confirm).outcome(&explorer) else {
      let reason = explorer.obstacle ?? "no trace was written."
      try output.write(
        Report(unrecorded: namesScenarios ? [program] : subject, end: nil, reason: reason), report,
        replacing: recording.force)
      throw ExitStatus.noVerdict
    }
    if outcome.report.exploration?.strategy == SchedulePlan.Strategy.natural.rawValue {
      Console.log("the program fails without any schedule")
    }
    if !outcome.output.isEmpty {
      let run = outcome.isOutputNatural ? "without holds" : "in that run"
      Console.log("the program's last output \(run):", quoting: outcome.output)
    }
    return outcome
  }

  private func explore(scenarios names: [String], _ examiner: RunExaminer) throws {
    let executable = try ScenarioExecutable(path: executable)
    let plays = try executable.scenarios(named: names, variants: variant).flatMap { scenario in
      scenario.variants.map { [scenario.name, $0.name] }
    }
    guard plays.count == 1 || output.isPrintedText(report) else {
      throw TraceError("There are \(plays.count) variants; choose one with --variant to write its report to a file.")
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
