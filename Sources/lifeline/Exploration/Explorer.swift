import Glibc
import LifelineAnalysis
import LifelineCompaction
import LifelineRecording
import LifelineReporting
import LifelineTrace

/// Looks for a schedule under which a program goes wrong, and for the shortest one that still shows it.
struct Explorer {
  /// How long to look.
  enum Bound {
    case runs(Int)
    case seconds(Double)
  }

  /// What a run showed.
  struct Find {
    let step: SchedulePlan.Step
    /// Number of the run, from 1.
    let run: Int
    let judgment: RunGate.Judgment
    let end: Recording.End
    let signature: RunSignature
    /// The holds that it had, in their order.
    let holds: [SchedulePoint]
    let named: [Report.Exploration.Hold]
    /// The end of what the program printed, where no finding says what went wrong: of a failing test, say.
    let output: String
  }

  /// How often a schedule shows a find again.
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
  private(set) var points = 0
  private(set) var sites: [RacingSite] = []
  private var reversed: Set<UInt32> = []
  /// How the program ends when nobody is held, and its report.
  private(set) var natural: (end: Recording.End, judgment: RunGate.Judgment)?
  /// Whether even that run took longer than the limit.
  private(set) var neverEnds = false
  /// Why the natural run has no report.
  private(set) var obstacle: String?
  private let began = Self.now
  private let progress = Progress()

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

  /// Whether these are tests, and they fail when nobody is held.
  var hasFailedByItself: Bool {
    natural.map { $0.end != .exit(0) && arguments.areTests(of: program) } ?? false
  }

  /// Places that race and at which the other order came about.
  var reversedSites: Int { sites.count { $0.races && reversed.contains($0.key) } }
  var racingSites: Int { sites.count { $0.races } }

  /// Nanoseconds since it began.
  var duration: UInt64 { UInt64((Self.now - began) * 1e9) }

  /// One run in which nobody is held, from which the places that race are learned. A find, when that goes wrong
  /// already.
  mutating func learn() throws -> Find? {
    var find: Find?
    let natural = SchedulePlan.Step(schedule: .none, strategy: .natural)
    try each([natural], jobs: 1, limit: limit + (arguments.canBuild(program) ? Self.buildLimit : 0)) { explorer, run in
      defer { run.remove() }
      guard !run.result.subjects.isEmpty else {
        explorer.obstacle =
          run.wasStopped
          ? "The program did not end within \(Int(explorer.limit)) seconds."
          : run.result.reason ?? "No trace was written."
        return false
      }
      explorer.arguments = explorer.arguments.withoutBuild(of: explorer.program)
      let reading = try RunReading(run)
      explorer.sites = reading.sites
      explorer.options.holdBudget = min(max(Self.leastBudget, reading.microseconds), Self.mostBudget)
      let judgment = try explorer.examiner.judge(run)
      explorer.natural = (run.result.end, judgment)
      explorer.neverEnds = run.wasStopped
      if run.wasStopped { explorer.stopped += 1 }
      explorer.points += reading.points
      if judgment.verdict == .findings { find = try explorer.find(run, reading, judgment) }
      return false
    }
    return find
  }

  /// Tries schedule after schedule until one shows something; nil when none did.
  mutating func look(_ bound: Bound, first: SchedulePlan.Step?) throws -> Find? {
    var plan = SchedulePlan(sites: sites)
    var begun = 0
    var found: Find?
    let end = Self.now
    try withPool(jobs: jobs) { explorer, pool in
      try pool.run(
        next: {
          switch bound {
          case .runs(let most): if begun >= most { return nil }
          case .seconds(let seconds): if Self.now - end >= seconds { return nil }
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
    return found
  }

  /// Counts a run, and looks closer where it went another way than the natural one.
  private mutating func examine(_ run: ExploredRun) throws -> Find? {
    runs += 1
    if run.wasStopped { stopped += 1 }
    let reading = try RunReading(run)
    points += reading.points
    reversed.formUnion(reading.overtaken)
    progress.report("\(runs) runs, \(points) points, \(reversedSites) of \(racingSites) racing places in both orders")
    let endsOtherwise = !run.wasStopped && !neverEnds && run.result.end != natural?.end
    guard !run.result.subjects.isEmpty, reading.wrongClass != nil || endsOtherwise || examiner.judgesEveryRun else {
      return nil
    }
    let judgment = try examiner.judge(run)
    return judgment.verdict == .findings || endsOtherwise ? try find(run, reading, judgment) : nil
  }

  private func find(_ run: ExploredRun, _ reading: RunReading, _ judgment: RunGate.Judgment) throws -> Find {
    Find(
      step: run.step, run: max(runs, 1), judgment: judgment, end: run.result.end, signature: RunSignature(run, reading),
      holds: reading.held, named: try examiner.holds(of: run), output: Self.output(of: run, judgment))
  }

  private static func output(of run: ExploredRun, _ judgment: RunGate.Judgment) -> String {
    judgment.verdict == .findings
      ? "" : run.output.split(separator: "\n").suffix(outputLines).joined(separator: "\n")
  }

  /// Runs a schedule some times and says how often it shows a find again; with the last run that did. Once `most` runs
  /// have not shown it, there are no more.
  mutating func rate(_ schedule: Schedule, of find: Find, runs count: Int, misses most: Int) throws -> (Rate, Find?) {
    let step = SchedulePlan.Step(schedule: schedule, strategy: find.step.strategy)
    var shown = 0, all = 0
    // Diagnosed when no run goes on any more: it would take the time of one.
    var kept: ExploredRun?
    defer { kept?.remove() }
    try each(Array(repeating: step, count: count), jobs: jobs) { _, run in
      all += 1
      guard try RunSignature(run, RunReading(run)).matches(find.signature) else {
        run.remove()
        return all - shown <= most
      }
      shown += 1
      kept?.remove()
      kept = run
      return true
    }
    guard let kept else { return (Rate(shown: 0, of: all), nil) }
    let last = Find(
      step: step, run: find.run, judgment: try examiner.judge(kept), end: kept.result.end, signature: find.signature,
      holds: try RunReading(kept).held, named: try examiner.holds(of: kept), output: find.output)
    return (Rate(shown: shown, of: all), last)
  }

  /// Which of these schedules show a find, each tried once, in their order.
  mutating func showing(_ find: Find, _ schedules: [Schedule]) throws -> [Schedule] {
    var shown: Set<Schedule> = []
    try each(schedules.map { SchedulePlan.Step(schedule: $0, strategy: find.step.strategy) }, jobs: jobs) { _, run in
      defer { run.remove() }
      if try RunSignature(run, RunReading(run)).matches(find.signature) { shown.insert(run.step.schedule) }
      return true
    }
    return schedules.filter(shown.contains)
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

  private static let outputLines = 24
  /// Seconds that a build may take, before the first run of what was built.
  private static let buildLimit = 1800.0

  // Microseconds. A run takes at most about twice as long as by itself, and even a short one holds somebody twice.
  private static let leastBudget = 60_000, mostBudget = 10_000_000

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
