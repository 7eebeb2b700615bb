import LifelineTrace

/// The whole life of one object, event by event.
public struct ObjectHistory: Sendable {
  public let id: ObjectID
  public let rows: [HistoryRow]
  /// Events that a very long life does not have as rows (`LongHistory`).
  public let leftOut: Int
  /// Its middle is left out: a `base` row stands there.
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
  /// What it went through before the events that are kept is not known.
  public var isOlder: Bool { rows.contains { $0.event.kind == .base } }
  public var free: HistoryRow? { rows.first { $0.event.kind == .free } }
}
