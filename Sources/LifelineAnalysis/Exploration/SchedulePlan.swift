import LifelineTrace

/// Which schedules to try, and in which order: alternating between one derived from an earlier run and a random one.
public struct SchedulePlan: Sendable {
  /// Why a schedule was chosen.
  public enum Strategy: String, Sendable, CaseIterable {
    case natural = "no hold"
    case racingPair = "a hold at a racing pair"
    case racingPairs = "holds at racing pairs"
    case everywhere = "random pauses everywhere"
    case uses = "random holds before uses of shared objects"
    case sites = "holds at random sites"
    case meeting = "a hold where threads meet"
    case given = "the given seed"
  }

  public struct Step: Sendable, Equatable {
    public let schedule: Schedule
    public let strategy: Strategy

    public init(schedule: Schedule, strategy: Strategy) {
      self.schedule = schedule
      self.strategy = strategy
    }

    fileprivate var patient: Step { Step(schedule: schedule.patient, strategy: strategy) }
  }

  private let directed: [Step]
  private var nextDirected = 0
  /// The number of times all directed steps were tried.
  private var rounds = 0
  /// Steps with many holds, which still depend on chance and are tried again and again.
  private let repeated: [Step]
  private var nextRepeated = 0
  private var directedTurns = 0
  private static let repetition = 6
  private var nextSeed: UInt64 = 1
  private var isRandomsTurn = false

  public init(sites: [RacingSite]) {
    directed = Self.directed(sites)
    repeated = directed.filter { $0.schedule.holds.count > 2 }
  }

  /// The schedules derived from an earlier run, most promising first.
  public var steps: [Step] { directed }

  /// The next schedule; there is always another.
  public mutating func next() -> Step {
    defer { isRandomsTurn.toggle() }
    if !isRandomsTurn, !directed.isEmpty {
      directedTurns += 1
      if directedTurns % Self.repetition == 0, !repeated.isEmpty {
        defer { nextRepeated = (nextRepeated + 1) % repeated.count }
        return repeated[nextRepeated]
      }
      defer { advance() }
      return rounds == 0 ? directed[nextDirected] : directed[nextDirected].patient
    }
    defer { nextSeed = nextSeed == Schedule.lastSeed ? 1 : nextSeed + 1 }
    return Step(schedule: .random(nextSeed), strategy: Self.strategy(ofSeed: nextSeed))
  }

  /// Once all were tried they are tried again, patiently: if the processors are busy or a page comes from a slow disk,
  /// a thread that others waited for in vain may just have been late.
  private mutating func advance() {
    nextDirected += 1
    guard nextDirected == directed.count else { return }
    (nextDirected, rounds) = (0, rounds + 1)
  }

  /// The probe's strategy for a seed (Exploration/strategy.c).
  public static func strategy(ofSeed seed: UInt64) -> Strategy {
    [.everywhere, .sites, .uses, .sites][Int(seed % 4)]
  }

  private static let meetingSides: [SchedulePoint.Side] = [.unlock, .signal, .switch, .run, .enqueue, .lock, .wait]

  /// Schedules of racing sites only: first all uses of a class at once, then single sites, then orders of three.
  private static func directed(_ sites: [RacingSite]) -> [Step] {
    var steps: [Step] = []
    var seen: Set<Schedule> = []
    func add(_ holds: [Schedule.Hold], _ strategy: Strategy? = nil) {
      let step = Step(
        schedule: .holds(holds), strategy: strategy ?? (holds.count == 1 ? .racingPair : .racingPairs))
      if seen.insert(step.schedule).inserted { steps.append(step) }
    }
    func every(_ site: RacingSite) -> Schedule.Hold { Schedule.Hold(key: site.key, visit: 0) }
    let racing = sites.filter(\.races), uses = racing.filter { $0.side == .use }
    var classes: [Int] = []
    for use in uses where use.sharing == .endedElsewhere && !classes.contains(use.classID) {
      classes.append(use.classID)
    }
    for name in classes { add(uses.filter { $0.classID == name && $0.sharing == .endedElsewhere }.map(every)) }
    // Two threads that both create the same object: the second one's replaces the first one's, which is about to be
    // used.
    let births = racing.filter { $0.side == .allocation && $0.isClass }
    for birth in births { add([every(birth)] + uses.filter { $0.classID == birth.classID }.map(every)) }
    // Alternating with these, because a condition checked under one lock may no longer hold under the next, or after a
    // signal.
    let ofClasses = racing.filter(\.isClass)
    let meetings = meetingSides.flatMap { side in
      sites.filter { $0.side == side && ($0.races || side.isOfCode) }
    }
    let visits = Self.visits(racing)
    for index in 0..<max(ofClasses.count, meetings.count, visits.count) {
      if ofClasses.indices.contains(index) { add([every(ofClasses[index])]) }
      if visits.indices.contains(index) { add([visits[index]]) }
      if meetings.indices.contains(index) { add([every(meetings[index])], .meeting) }
    }
    for birth in births {
      for use in uses where use.classID == birth.classID { add([every(birth), every(use)]) }
    }
    // An order of three needs two holds: a late use of something that another late thread ends.
    for other in racing where other.side != .use && other.isClass {
      for use in uses where use.classID == other.classID { add([every(other), every(use)]) }
    }
    // A thread that is late with its own object is late with everything after it.
    for site in sites where site.isClass && site.side == .allocation { add([every(site)]) }
    for site in sites where site.side != .allocation && site.races && site.visits.count > 1 {
      for visit in site.visits {
        add([Schedule.Hold(key: site.key, visit: visit)], site.side.isMeeting ? .meeting : nil)
      }
    }
    for site in sites { add([every(site)], site.side.isMeeting ? .meeting : nil) }
    return steps
  }

  /// Single visits to the sites whose objects another thread ends, alternating: a thread held at each visit is late for
  /// the first object, and has nothing left to be late for.
  private static func visits(_ sites: [RacingSite]) -> [Schedule.Hold] {
    let ended = sites.filter { $0.sharing == .endedElsewhere && $0.isClass && $0.visits.count > 1 }
    let turns = 0..<(ended.map(\.visits.count).max() ?? 0)
    let holds = turns.flatMap { turn in
      ended.filter { $0.visits.indices.contains(turn) }.map { Schedule.Hold(key: $0.key, visit: $0.visits[turn]) }
    }
    return Array(holds.prefix(visitLimit))
  }

  private static let visitLimit = 12
}
