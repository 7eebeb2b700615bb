import LifelineTrace

/// The whole life of one object, event by event.
public struct ObjectHistory: Sendable {
  public let id: ObjectID
  public let rows: [HistoryRow]

  public init(id: ObjectID, rows: [HistoryRow]) {
    self.id = id
    self.rows = rows
  }

  public var allocation: HistoryRow? { rows.first { $0.event.kind == .allocate } }
  public var finalRelease: HistoryRow? { rows.first { $0.isFinalRelease } }
  public var deallocation: HistoryRow? { rows.first { $0.event.kind == .deallocate } }
  public var free: HistoryRow? { rows.first { $0.event.kind == .free } }
}
