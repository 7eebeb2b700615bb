import ArgumentParser
import Glibc
import LifelineAnalysis
import LifelineGate
import LifelineRecording
import LifelineReporting
import LifelineTrace

struct ExploreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explore",
    abstract: "Runs a program under many schedules until a race between lifetimes shows.",
    usage: "lifeline explore [options] -- PROGRAM [ARGUMENT ...]",
    discussion: """
      The program is run once by itself, then again and again, each time with threads held back at other points, for milliseconds at most: before \
      retains and releases, unowned and weak references, allocations and deinits. Once a run shows a use after free, an over-release, a trap \
      or a crash, the shortest schedule that still shows it is looked for, and the report has the number that repeats it with --seed. What the \
      program prints is not shown, and it reads nothing. Exits as 'check' does: 1 with a find, 0 (or the program's own status) without one, \
      which proves nothing, 2 when the tool failed, 3 when nothing could be seen.
      """)

  @OptionGroup var recording: RecordingArguments
  @OptionGroup var report: ReportArguments
  @OptionGroup var gate: GateArguments
  @OptionGroup var output: OutputArguments

  @Option(help: "Schedules to try at most (default 100).")
  var runs: Int?

  @Option(name: .customLong("for"), help: "How long to try, instead: '30s', '5min'.")
  var span: String?

  @Option(help: "Try this schedule only, which an earlier exploration named; up to 10 runs, or --runs.")
  var seed: UInt64?

  @Option(help: "Seconds that one run may take; a longer one is ended, and counted.")
  var limit = 60

  @Option(help: "Runs at the same time (default: one per core).")
  var jobs: Int?

  @Option(help: "Runs that say how often the schedule shows the find again.")
  var confirm = 10

  @Argument(help: "A program and its arguments, after --.")
  var subject: [String]

  func validate() throws {
    if subject.isEmpty { throw ValidationError("Name a program after --.") }
    if recording.output != nil {
      throw ValidationError("An exploration keeps no traces; record the program to have one.")
    }
    if gate.updateBaseline { throw ValidationError("A baseline is updated by 'check', not by 'explore'.") }
    if runs != nil, span != nil { throw ValidationError("--runs and --for exclude each other.") }
    if let runs, !(1...10_000_000).contains(runs) { throw ValidationError("--runs takes a number from 1 to 10000000.") }
    if let span, GrowthCommand.span(span) == nil {
      throw ValidationError("--for takes a span such as 30s or 5min, not '\(span)'.")
    }
    if let seed, Schedule(number: seed) == nil {
      throw ValidationError(
        "\(seed) is the seed of no schedule; take one that 'lifeline explore' printed, or a number from 1 to \(Schedule.lastSeed)."
      )
    }
    if !(1...86400).contains(limit) { throw ValidationError("--limit takes a number of seconds from 1 to 86400.") }
    if let jobs, !(1...256).contains(jobs) { throw ValidationError("--jobs takes a number from 1 to 256.") }
    if !(1...1000).contains(confirm) { throw ValidationError("--confirm takes a number from 1 to 1000.") }
  }

  func run() throws {
    do {
      try output.examine(report, replacing: recording.force)
      var explorer = Explorer(
        examiner: RunExaminer(
          gate: RunGate(policy: try gate.policy(), updatesBaseline: false), contracts: try gate.contracts(),
          rules: try report.rules.rules(),
          arguments: report),
        program: subject[0], arguments: ProgramArguments(lastOfOurs: subject.count), options: options,
        jobs: jobs ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), limit: Double(limit))
      try explore(&explorer)
    } catch let error as TraceError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    } catch let error as GateError {
      Console.log(error.description)
      throw ExitStatus.toolFailure
    } catch let error as RecordingError {
      Console.log(error.description)
      throw error.couldNotStart ? ExitStatus.couldNotStart : ExitStatus.toolFailure
    } catch let error as RunPool.Interruption {
      throw ExitCode(128 + error.signal)
    }
  }

  private var options: RecordingOptions {
    var options = recording.options(checking: true)
    options.continuesByDefault = gate.acceptsFindings
    options.quiet = true
    return options
  }

  private func explore(_ explorer: inout Explorer) throws {
    if let find = try explorer.learn() {
      Console.log("the program goes wrong without any schedule")
      return try finish(find.judgment, explorer, find: find, rate: nil, schedule: nil)
    }
    guard let natural = explorer.natural else {
      Console.print("Verdict: no verdict: \(explorer.obstacle ?? "no trace was written.")\n")
      throw ExitStatus.noVerdict
    }
    if case .none = natural.judgment.verdict, !explorer.neverEnds {
      return try finish(natural.judgment, explorer, find: nil, rate: nil, schedule: nil)
    }
    let given = seed.flatMap { Schedule(number: $0) }.map { SchedulePlan.Step(schedule: $0, strategy: .given) }
    guard let find = try explorer.look(bound, first: given) else {
      return try finish(natural.judgment, explorer, find: nil, rate: nil, schedule: nil)
    }
    if let given { return try finish(find.judgment, explorer, find: find, rate: nil, schedule: given.schedule) }
    let others = SchedulePlan(sites: explorer.sites).steps.map(\.schedule)
    let shortest = try ScheduleReducer(find: find, others: others).reduce(&explorer, runs: confirm)
    try finish(shortest.find.judgment, explorer, find: shortest.find, rate: shortest.rate, schedule: shortest.schedule)
  }

  /// Why a run without findings is a find all the same.
  private static func sentence(_ end: Recording.End) -> String {
    let how =
      switch end {
      case .exit(let status): "it exited with status \(status)"
      case .signal(let number): "signal \(number) ended it"
      case .unknown, .replaced, .detached: "nobody saw its end"
      }
    return "the program ended otherwise than when nobody is held: \(how)"
  }

  private var bound: Explorer.Bound {
    if let span, let nanoseconds = GrowthCommand.span(span) { return .seconds(Double(nanoseconds) / 1e9) }
    return .runs(runs ?? (seed == nil ? 100 : 10))
  }

  private func finish(
    _ judgment: RunGate.Judgment, _ explorer: Explorer, find: Explorer.Find?, rate: Explorer.Rate?, schedule: Schedule?
  ) throws {
    var document = judgment.report
    let exploration = Report.Exploration(
      runs: explorer.runs + 1, stopped: explorer.stopped, points: explorer.points, racingSites: explorer.racingSites,
      reversedSites: explorer.reversedSites, duration: explorer.duration,
      foundInRun: find.map { $0.step.strategy == .natural ? 1 : $0.run + 1 },
      strategy: find?.step.strategy.rawValue, seed: schedule?.number, shownAgain: rate?.shown, shownAgainOf: rate?.of,
      schedule: find?.named ?? [])
    document.exploration = exploration
    if judgment.verdict == .clean {
      document.verdict = "none"
      document.noVerdictReason = find.map { Self.sentence($0.end) } ?? exploration.withoutFind
    }
    try output.write(document, report, replacing: recording.force)
    switch judgment.verdict {
    case .findings: throw ExitStatus.findings
    case .none: throw ExitStatus.noVerdict
    case .clean:
      if let end = find?.end ?? explorer.natural?.end { throw ExitStatus.of(end) }
    }
  }
}
