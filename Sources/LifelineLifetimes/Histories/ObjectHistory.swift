import LifelineTrace

/// The full history of one object, event by event.
public struct ObjectHistory: Sendable {
  public let id: ObjectID
  public let rows: [HistoryRow]
  /// The number of events omitted from a very long history (`LongHistory`).
  public let leftOut: Int
  /// Whether its middle was omitted and replaced by a `base` row.
  public let isCut: Bool

  /// Classes of the objects that ended in its deinit.
  public let classesEndedWithin: Set<String>

  public init(
    id: ObjectID, rows: [HistoryRow], leftOut: Int = 0, isCut: Bool = false, classesEndedWithin: Set<String> = []
  ) {
    self.id = id
    self.rows = rows
    self.leftOut = leftOut
    self.isCut = isCut
    self.classesEndedWithin = classesEndedWithin
  }

  public var allocation: HistoryRow? { rows.first { $0.event.kind == .allocate } }
  public var finalRelease: HistoryRow? { rows.first { $0.isFinalRelease } }
  public var deallocation: HistoryRow? { rows.first { $0.event.kind == .deallocate } }
  /// Whether its history before the kept events is unknown.
  public var isOlder: Bool { rows.contains { $0.event.kind == .base } }
  public var free: HistoryRow? { rows.first { $0.event.kind == .free } }
}
