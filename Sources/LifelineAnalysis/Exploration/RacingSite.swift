import LifelineTrace

/// A place in the code where a thread does something to objects that another thread ends, or to the like.
public struct RacingSite: Sendable, Equatable {
  public let key: UInt32
  public let side: SchedulePoint.Side
  /// Record number of the objects' class; of several, the first one's.
  public let classID: Int
  /// The first and the last time that a thread came there for such an object.
  public var visits: ClosedRange<UInt32>
  /// Whether another thread ended one of the objects; else several threads only touched them.
  public var isEndedElsewhere: Bool
}
