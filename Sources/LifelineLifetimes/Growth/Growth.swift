import LifelineTrace

/// Objects of one class from one place that become more with every generation.
public struct Growth: Sendable {
  public let className: String
  public let allocation: BacktraceID
  /// Live objects at the end of each generation.
  public let counts: [Int]
  /// The newest object that lives when the trace ends; the newest of all where none does.
  public let newest: ObjectID
  /// Of those that live when the trace ends the one in the middle: the newest may be in use and go yet. The newest of
  /// all where none lives.
  public let typical: ObjectID

  /// Objects gained in each generation after the first, which warms up: the middle value.
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

  /// Fewest generations that can tell growth from warming up and from chance.
  public static let fewest = 4

  /// Whether a series grows: after the first generation it never falls, and it rises in three of four rounds and in the
  /// last.
  ///
  /// What is filled once stays level, and what is emptied now and then falls; a cache that is still filling looks like
  /// growth until it is full, which only more rounds can tell.
  public static func isGrowing(_ counts: [Int]) -> Bool {
    guard counts.count >= fewest else { return false }
    let gains = gains(counts)
    return gains.allSatisfy { $0 >= 0 } && gains.count { $0 > 0 } * 4 >= gains.count * 3 && gains.last! > 0
  }
}
