import LifelineTrace

/// Objects of one class from one site that grow with every generation.
public struct Growth: Sendable {
  public let className: String
  public let allocation: BacktraceID
  let series: GrowthSeries
  /// The counts that grow, and the number of generations from one to the next.
  private let growing: (counts: [Int], rounds: Int)
  /// The newest object that is live when the trace ends; if none is, the newest of all.
  public let newest: ObjectID
  /// The middle one of those that are live when the trace ends, because the newest may be in use and still be freed. If
  /// none is live, the newest at the end of the last generation.
  public let typical: ObjectID
  /// Whether none is live when the trace ends.
  public let isFreed: Bool

  /// Nil if the series does not grow.
  init?(
    className: String, allocation: BacktraceID, series: GrowthSeries, newest: ObjectID, typical: ObjectID,
    isFreed: Bool = false
  ) {
    guard let growing = series.growing else { return nil }
    self.init(
      className: className, allocation: allocation, series: series, growing: growing, newest: newest, typical: typical,
      isFreed: isFreed)
  }

  private init(
    className: String, allocation: BacktraceID, series: GrowthSeries, growing: (counts: [Int], rounds: Int),
    newest: ObjectID, typical: ObjectID, isFreed: Bool
  ) {
    self.className = className
    self.allocation = allocation
    self.series = series
    self.growing = growing
    self.newest = newest
    self.typical = typical
    self.isFreed = isFreed
  }

  /// Live objects at the end of each generation.
  public var counts: [Int] { series.counts }
  /// If only they grow: the fewest live objects in each generation after the first.
  public var lows: [Int]? { Self.isGrowing(counts) ? nil : series.lows }
  /// The number of generations in which `gain` objects are gained: 1, unless generations are shorter than that takes.
  public var rounds: Int { growing.rounds }
  /// Objects gained in that many generations after the first, which is a warm-up: the median.
  public var gain: Int {
    let gains = Self.gains(growing.counts)
    return gains.sorted()[gains.count / 2]
  }
  /// Objects gained in each generation, rounded.
  public var perRound: Int { (gain + rounds / 2) / rounds }

  /// Both together: objects of one class that were allocated by several call paths.
  public func joined(with other: Growth) -> Growth {
    let isNewest = isFreed == other.isFreed ? newest.number >= other.newest.number : other.isFreed
    let sum = series + other.series
    let slower = rounds >= other.rounds ? self : other
    return Growth(
      className: className, allocation: isNewest ? allocation : other.allocation, series: sum,
      growing: sum.growing ?? slower.growing, newest: isNewest ? newest : other.newest,
      typical: isNewest ? typical : other.typical, isFreed: isFreed && other.isFreed)
  }

  static func gains(_ counts: [Int]) -> [Int] { zip(counts.dropFirst(), counts).map { $0 - $1 } }

  /// Minimum number of generations to distinguish growth from a warm-up and chance.
  public static let fewest = 4

  /// Whether a series grows: after the first generation it never falls, and it rises in three of four rounds and in the
  /// last.
  ///
  /// What is filled once stays level, and what is emptied now and then falls; a cache that is still filling looks like
  /// growth until it is full, which only more rounds can show.
  public static func isGrowing(_ counts: [Int]) -> Bool {
    guard counts.count >= fewest else { return false }
    let gains = gains(counts)
    return gains.allSatisfy { $0 >= 0 } && gains.count { $0 > 0 } * 4 >= gains.count * 3 && gains.last! > 0
  }
}
