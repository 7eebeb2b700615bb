import Glibc
import LifelineAnalysis
import LifelineCompaction
import LifelineRecording
import LifelineReporting
import LifelineTrace

/// Searches for a schedule under which a program has a problem, and for the shortest one that still shows it.
struct Explorer {
  /// How long to search.
  enum Bound {
    case runs(Int)
    case seconds(Double)
  }

  /// What a run found.
  struct Discovery {
    let step: SchedulePlan.Step
    /// Number of the run, from 1.
    let run: Int
    let judgment: RunGate.Judgment
    let end: Recording.End
    let problem: RunProblem
    /// Whether it was stopped at its time limit.
    let wasStopped: Bool
    /// Its holds, in order.
    let holds: [SchedulePoint]
    let named: [Report.Exploration.Hold]
    /// The end of the program's output, if no finding says what went wrong, as for a failing test.
    let output: String
    /// How often the same happened without holds; nil if not tried.
    var byItself: Rate?
  }

  /// How often a schedule shows a discovery again.
  struct Rate: Equatable {
    let shown: Int
    let of: Int
  }

  let examiner: RunExaminer
  let program: String
  private(set) var arguments: ProgramArguments
  let jobs: Int
  let limit: Double
  private(set) var options: RecordingOptions

  private(set) var runs = 0
  private(set) var stopped = 0
  /// Runs in which a thread was held.
  private(set) var heldRuns = 0
  private(set) var points = 0
  private(set) var sites: [RacingSite] = []
  private var reversed: Set<UInt32> = []
  /// How the program ends without holds, and its report.
  private(set) var natural: NaturalRun?
  /// Why the natural run has no report.
  private(set) var obstacle: String?
  private let began = MonotonicClock.seconds
  private let progress = Progress()
  /// Runs that seemed to hang and did not again.
  private var falseHangs = 0

  init(
    examiner: RunExaminer, program: String, arguments: ProgramArguments, options: RecordingOptions, jobs: Int,
    limit: Double
  ) {
    self.examiner = examiner
    self.program = program
    self.arguments = arguments
    self.options = options
    self.jobs = jobs
    self.limit = limit
  }

  /// Whether these are tests that fail without holds.
  var hasFailedByItself: Bool {
    natural.map { !$0.wasStopped && $0.end != .exit(0) && arguments.areTests(of: program) } ?? false
  }

  /// Racing places at which the other order occurred.
  var reversedSites: Int { sites.count { $0.races && reversed.contains($0.key) } }
  var racingSites: Int { sites.count { $0.races } }

  /// Nanoseconds since it began.
  var duration: UInt64 { UInt64((MonotonicClock.seconds - began) * 1e9) }

  /// One run without holds, which shows the racing places. Returns a discovery if that run already has a problem.
  mutating func learn() throws -> Discovery? {
    var discovery: Discovery?
    let natural = SchedulePlan.Step(schedule: .none, strategy: .natural)
    try each([natural], jobs: 1, limit: limit + (arguments.canBuild(program) ? Self.buildLimit : 0)) { explorer, run in
      defer { run.remove() }
      guard !run.result.subjects.isEmpty else {
        explorer.obstacle =
          run.wasStopped
          ? "The program was stopped after \(Int(explorer.limit)) s (--limit)."
          : run.result.reason ?? "No trace was written."
        return false
      }
      explorer.arguments = explorer.arguments.withoutBuild(of: explorer.program)
      let reading = try RunReading(run)
      explorer.sites = reading.sites
      explorer.options.holdBudget = min(max(Self.leastBudget, reading.microseconds), Self.mostBudget)
      let judgment = try explorer.examiner.judge(run)
      let isProper = run.wasStopped || run.result.end == .exit(0)
      explorer.natural = NaturalRun(
        end: run.result.end, judgment: judgment, wasStopped: run.wasStopped, microseconds: reading.microseconds,
        holdBudget: explorer.options.holdBudget, output: isProper ? "" : LastOutput(run.output).text)
      if run.wasStopped { explorer.stopped += 1 }
      explorer.points += reading.points
      if judgment.verdict == .findings {
        discovery = try explorer.discovery(
          run, reading, judgment, reading.wrongClass.map(RunProblem.wrongObject) ?? .judged)
      } else if ProblemWording.isCrash(run.result.end) {
        discovery = try explorer.discovery(run, reading, judgment, .end(run.result.end))
      }
      return false
    }
    return discovery
  }

  /// Tries one schedule after another until one has a discovery; nil if none did.
  mutating func look(_ bound: Bound, first: SchedulePlan.Step?) throws -> Discovery? {
    var plan = SchedulePlan(sites: sites)
    let start = (runs: runs, time: MonotonicClock.seconds)
    while true {
      // Runs ended because another one had a discovery are not counted.
      var begun = runs - start.runs
      var found: Discovery?
      try withPool(jobs: jobs) { explorer, pool in
        try pool.run(
          next: {
            switch bound {
            case .runs(let most): if begun >= most { return nil }
            case .seconds(let seconds): if MonotonicClock.seconds - start.time >= seconds { return nil }
            }
            begun += 1
            return first ?? plan.next()
          },
          handle: { run in
            defer { run.remove() }
            found = try explorer.examine(run)
            return found == nil
          })
      }
      progress.end()
      guard let found else { return nil }
      if let discovery = try confirmed(found) { return discovery }
      falseHangs += 1
    }
  }

  /// Counts a run, and examines it more closely if it differs from the natural one.
  private mutating func examine(_ run: ExploredRun) throws -> Discovery? {
    runs += 1
    if run.wasStopped { stopped += 1 }
    let reading = try RunReading(run)
    if !reading.held.isEmpty { heldRuns += 1 }
    points += reading.points
    reversed.formUnion(reading.overtaken)
    progress.report(
      "\(runs == 1 ? "1 run" : "\(runs) runs"), \(points) points, \(reversedSites) of \(racingSites) racing places "
        + "in both orders")
    let end = problem(ofEnd: run)
    guard !run.result.subjects.isEmpty, reading.wrongClass != nil || end != nil || examiner.judgesEveryRun else {
      return nil
    }
    let judgment = try examiner.judge(run)
    if judgment.verdict == .findings {
      return try discovery(run, reading, judgment, reading.wrongClass.map(RunProblem.wrongObject) ?? .judged)
    }
    return try end.map { try discovery(run, reading, judgment, $0) }
  }

  /// The problem of how a run ended, compared with the natural one. A normal end is never a problem.
  private func problem(ofEnd run: ExploredRun) -> RunProblem? {
    guard let natural else { return nil }
    let end = run.result.end
    if natural.wasStopped { return ProblemWording.isCrash(end) ? .end(end) : nil }
    if run.wasStopped { return limit > natural.hangLimit && falseHangs < Self.mostFalseHangs ? .hang : nil }
    return end == natural.end || end == .exit(0) || end == .unknown ? nil : .end(end)
  }

  private func discovery(
    _ run: ExploredRun, _ reading: RunReading, _ judgment: RunGate.Judgment, _ problem: RunProblem
  ) throws -> Discovery {
    Discovery(
      step: run.step, run: max(runs, 1), judgment: judgment, end: run.result.end, problem: problem,
      wasStopped: run.wasStopped, holds: reading.held, named: try examiner.holds(of: run),
      output: judgment.verdict == .findings ? "" : LastOutput(run.output).text)
  }

  /// A discovery whose run ended differently, with how often that happens by itself, in which case no schedule causes
  /// it. Nil for a run that seemed to hang but does not again.
  private mutating func confirmed(_ discovery: Discovery) throws -> Discovery? {
    switch discovery.problem {
    case .wrongObject, .judged: return discovery
    case .hang:
      if try rate(discovery.step.schedule, of: discovery, runs: 2, misses: 1, limit: limit).0.shown == 0 { return nil }
    case .end: break
    }
    var discovery = discovery
    discovery.byItself = try rate(.none, of: discovery, runs: Self.runsByItself, misses: Self.runsByItself).0
    return discovery
  }

  /// Whether another run has the same problem.
  private func shows(_ run: ExploredRun, _ problem: RunProblem) throws -> Bool {
    guard !run.result.subjects.isEmpty else { return false }
    return switch problem {
    case .wrongObject(let name): try RunReading(run).wrongClass == name
    case .judged: try examiner.judge(run).verdict == .findings
    case .end(let end): !run.wasStopped && run.result.end == end
    case .hang: run.wasStopped
    }
  }

  /// Runs a schedule several times and returns how often it shows a discovery again, with the last run that did. After
  /// `most` runs without it, it stops.
  mutating func rate(
    _ schedule: Schedule, of discovery: Discovery, runs count: Int, misses most: Int, limit: Double? = nil
  ) throws -> (Rate, Discovery?) {
    let step = SchedulePlan.Step(schedule: schedule, strategy: discovery.step.strategy)
    var shown = 0, all = 0
    // Diagnosed after all runs have ended, because a diagnosis would slow them down.
    var kept: ExploredRun?
    defer { kept?.remove() }
    let limit = limit ?? self.limit(of: discovery)
    try each(Array(repeating: step, count: count), jobs: jobs, limit: limit) { explorer, run in
      all += 1
      guard try explorer.shows(run, discovery.problem) else {
        run.remove()
        return all - shown <= most
      }
      shown += 1
      kept?.remove()
      kept = run
      return true
    }
    guard let kept else { return (Rate(shown: 0, of: all), nil) }
    let last = Discovery(
      step: step, run: discovery.run, judgment: try examiner.judge(kept), end: kept.result.end,
      problem: discovery.problem,
      wasStopped: kept.wasStopped, holds: try RunReading(kept).held, named: try examiner.holds(of: kept),
      output: discovery.output, byItself: discovery.byItself)
    return (Rate(shown: shown, of: all), last)
  }

  /// Which of these schedules show a discovery, in order. While there are fewer than two, the others are tried again,
  /// because on a busy machine one try may come too late.
  mutating func showing(_ discovery: Discovery, _ schedules: [Schedule]) throws -> [Schedule] {
    var shown: Set<Schedule> = []
    for _ in 0..<2 where shown.count < 2 {
      let rest = schedules.filter { !shown.contains($0) }
      let steps = rest.map { SchedulePlan.Step(schedule: $0, strategy: discovery.step.strategy) }
      try each(steps, jobs: jobs, limit: limit(of: discovery)) { explorer, run in
        defer { run.remove() }
        if try explorer.shows(run, discovery.problem) { shown.insert(run.step.schedule) }
        return true
      }
    }
    return schedules.filter(shown.contains)
  }

  /// Time limit in seconds for a run that is to show a discovery again: for a hang, no longer than needed to detect it.
  private func limit(of discovery: Discovery) -> Double {
    discovery.problem == .hang ? min(limit, natural?.hangLimit ?? limit) : limit
  }

  private mutating func each(
    _ steps: [SchedulePlan.Step], jobs: Int, limit: Double? = nil,
    _ handle: (inout Explorer, ExploredRun) throws -> Bool
  ) throws {
    var rest = steps[...]
    try withPool(jobs: jobs, limit: limit) { explorer, pool in
      try pool.run(next: { rest.popFirst() }, handle: { try handle(&explorer, $0) })
    }
  }

  private mutating func withPool(
    jobs: Int, limit: Double? = nil, _ body: (inout Explorer, RunPool) throws -> Void
  ) throws {
    try body(
      &self,
      RunPool(program: program, arguments: arguments, options: options, jobs: jobs, limit: limit ?? self.limit))
  }

  private static let runsByItself = 5
  /// After this many hangs that did not recur, the machine is considered slow.
  private static let mostFalseHangs = 3
  /// Time limit in seconds for a build, before the first run of its product.
  private static let buildLimit = 1800.0

  // Microseconds. A run takes at most about twice as long as by itself, and even a short one can hold threads twice.
  private static let leastBudget = 60_000, mostBudget = 10_000_000
}
