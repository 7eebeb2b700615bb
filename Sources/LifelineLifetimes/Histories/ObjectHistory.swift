import LifelineTrace

/// The whole life of one object, event by event.
public struct ObjectHistory: Sendable {
  public let id: ObjectID
  public let rows: [HistoryRow]
  /// Rows that a very long life does not have: retains, each with the release that followed it in the same call.
  public let leftOut: Int

  public init(id: ObjectID, rows: [HistoryRow], leftOut: Int = 0) {
    self.id = id
    self.rows = rows
    self.leftOut = leftOut
  }

  public var allocation: HistoryRow? { rows.first { $0.event.kind == .allocate } }
  public var finalRelease: HistoryRow? { rows.first { $0.isFinalRelease } }
  public var deallocation: HistoryRow? { rows.first { $0.event.kind == .deallocate } }
  /// What it went through before the events that are kept is not known.
  public var isOlder: Bool { rows.contains { $0.event.kind == .base } }
  public var free: HistoryRow? { rows.first { $0.event.kind == .free } }
}
