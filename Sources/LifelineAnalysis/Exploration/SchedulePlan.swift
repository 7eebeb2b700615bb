import LifelineTrace

/// Which schedules to try, and in which order: by turns one that follows from what an earlier run showed, and a random one.
public struct SchedulePlan: Sendable {
  /// Why a schedule was chosen.
  public enum Strategy: String, Sendable, CaseIterable {
    case natural = "no hold"
    case racingPair = "a hold at a racing pair"
    case twoRacingPairs = "holds at two racing pairs"
    case everywhere = "random pauses everywhere"
    case uses = "random holds before uses of shared objects"
    case releases = "random holds before releases of shared objects"
    case sites = "holds each time at random sites"
    case given = "the seed that was given"
  }

  public struct Step: Sendable, Equatable {
    public let schedule: Schedule
    public let strategy: Strategy

    public init(schedule: Schedule, strategy: Strategy) {
      self.schedule = schedule
      self.strategy = strategy
    }
  }

  /// The places that race.
  public let sites: [RacingSite]
  private var directed: [Step]
  private var nextDirected = 0
  private var nextSeed: UInt64 = 1
  private var isRandomsTurn = false

  public init(sites: [RacingSite]) {
    self.sites = sites
    directed = Self.directed(sites)
  }

  /// The schedule after the last one; there is always another.
  public mutating func next() -> Step {
    defer { isRandomsTurn.toggle() }
    if !isRandomsTurn, nextDirected < directed.count {
      defer { nextDirected += 1 }
      return directed[nextDirected]
    }
    defer { nextSeed = nextSeed == Schedule.lastSeed ? 1 : nextSeed + 1 }
    return Step(schedule: .random(nextSeed), strategy: Self.strategy(ofSeed: nextSeed))
  }

  /// What the probe does with a seed (Exploration/explore.c).
  public static func strategy(ofSeed seed: UInt64) -> Strategy { [.everywhere, .uses, .releases, .sites][Int(seed % 4)] }

  private static func directed(_ sites: [RacingSite]) -> [Step] {
    var steps: [Step] = []
    var seen: Set<Schedule> = []
    func add(_ holds: [(RacingSite, UInt32)]) {
      let holds = holds.map { Schedule.Hold(key: $0.0.key, visit: $0.1) }
      let step = Step(schedule: .holds(holds), strategy: holds.count == 1 ? .racingPair : .twoRacingPairs)
      if !seen.contains(step.schedule) { steps.append(step) }
      seen.insert(step.schedule)
    }
    for site in sites { add([(site, 0)]) }
    for site in sites where site.side != .allocation {
      add([(site, site.visits.upperBound)])
      add([(site, site.visits.lowerBound)])
    }
    // An order of three needs two holds: somebody who is late to use what another, late as well, ends.
    let uses = sites.filter { $0.side == .use }
    for other in sites where other.side != .use {
      for use in uses where use.classID == other.classID { add([(other, 0), (use, 0)]) }
    }
    for site in sites where site.side != .allocation {
      let middle = (site.visits.lowerBound + site.visits.upperBound) / 2
      add([(site, middle)])
    }
    return steps
  }
}
