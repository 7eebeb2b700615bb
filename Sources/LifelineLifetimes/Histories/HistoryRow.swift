import LifelineTrace

/// One event in the life of one object.
public struct HistoryRow: Sendable {
  public let event: Event
  public let backtrace: BacktraceID
  /// The final release: the deinit starts here.
  public internal(set) var isFinalRelease = false
  /// The recorded count does not follow from the row before: events in between were not seen.
  public internal(set) var isAfterGap = false
  /// The innermost object whose deinit was running on the thread; never the row's own object.
  public internal(set) var dying: ObjectID?
  /// When the youngest of the closure contexts was created that were being destroyed on the thread.
  public internal(set) var contextCreation: Moment?
  /// The object that a tracked reference is a property of.
  public internal(set) var owner: ObjectID?
  /// For the final release inside a watched call: the first event inside it.
  public internal(set) var callStart: Moment?

  public init(event: Event, backtrace: BacktraceID) {
    self.event = event
    self.backtrace = backtrace
  }
}
