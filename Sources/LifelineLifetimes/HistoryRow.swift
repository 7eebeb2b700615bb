import LifelineTrace

/// One event in the life of one object.
public struct HistoryRow: Sendable {
  public let event: Event
  public let backtrace: BacktraceID
  /// The final release: the deinit starts here.
  public internal(set) var isFinalRelease = false
  /// The recorded count does not follow from the row before: events in between were not seen.
  public internal(set) var isAfterGap = false
}
