import LifelineTrace

/// A place in the code where a thread does something to objects, which other threads may touch and end, or where it
/// meets other threads.
public struct RacingSite: Sendable, Equatable {
  /// How much its objects are shared, the most first.
  public enum Sharing: Int, Sendable, Comparable {
    /// Another thread than one that came here ended one of them.
    case endedElsewhere
    /// Several threads touched one of them, or met there.
    case touched
    case none

    public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  public let key: UInt32
  public let side: SchedulePoint.Side
  /// Record number of the objects' class; of several, the first one's; 0 where threads meet.
  public let classID: Int
  /// Whether that is a class of the source, and no closure or box.
  public let isClass: Bool
  /// The how-manyth times to hold a thread there, the most promising first: a thread that was late once may come too
  /// late for the rest, so that a hold each time shows nothing of the others.
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

  /// Whether threads meet there, so that an order of two can be the other way round.
  public var races: Bool { sharing != .none }
}
