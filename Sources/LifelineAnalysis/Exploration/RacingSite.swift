import LifelineTrace

/// A place in the code where a thread acts on objects that other threads may use and end, or where it meets other
/// threads.
public struct RacingSite: Sendable, Equatable {
  /// How much its objects are shared, most shared first.
  public enum Sharing: Int, Sendable, Comparable {
    /// A thread other than those that came here ended one of them.
    case endedElsewhere
    /// Several threads touched one of them, or met there.
    case touched
    case none

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  public let key: UInt32
  public let side: SchedulePoint.Side
  /// Record number of the objects' class, the first one's if there are several; 0 where threads meet.
  public let classID: Int
  /// Whether that is a class in the source rather than a closure or box.
  public let isClass: Bool
  /// The visits at which to hold a thread, most promising first. A thread that was late once may be too late for the
  /// rest, so a hold at each visit shows nothing about the later ones.
  public var visits: [UInt32]
  public var sharing: Sharing

  public init(
    key: UInt32, side: SchedulePoint.Side, classID: Int, isClass: Bool = true, visits: [UInt32],
    sharing: Sharing
  ) {
    self.key = key
    self.side = side
    self.classID = classID
    self.isClass = isClass
    self.visits = visits
    self.sharing = sharing
  }

  /// Whether threads meet there, so that the order of two can be reversed.
  public var races: Bool { sharing != .none }
}
