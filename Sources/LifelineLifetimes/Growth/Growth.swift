import LifelineTrace

/// Objects of one class from one site that grow with every generation.
public struct Growth: Sendable {
  public let className: String
  public let allocation: BacktraceID
  /// Live objects at the end of each generation.
  public let counts: [Int]
  /// The newest object that is live when the trace ends; if none is, the newest of all.
  public let newest: ObjectID
  /// The middle one of those that are live when the trace ends, because the newest may be in use and still be freed. If
  /// none is live, the newest of all.
  public let typical: ObjectID

  /// Objects gained in each generation after the first, which is a warm-up: the median.
  public var perRound: Int {
    let gains = Self.gains(counts)
    return gains.isEmpty ? 0 : gains.sorted()[gains.count / 2]
  }

  /// Both together: objects of one class that were allocated by several call paths.
  public func joined(with other: Growth) -> Growth {
    let isNewest = newest.number >= other.newest.number
    return Growth(
      className: className, allocation: isNewest ? allocation : other.allocation,
      counts: zip(counts, other.counts).map(+), newest: isNewest ? newest : other.newest,
      typical: isNewest ? typical : other.typical)
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
