import LifelineTrace

/// The counts of one class at a moment.
public struct LiveRow: Sendable, Equatable {
  public var name: String
  /// Objects whose deinit has not begun.
  public var live = 0
  /// Their bytes.
  public var bytes = 0
  public var allocated = 0
  public var retains = 0
  public var releases = 0

  /// Objects whose deinit has begun.
  public var ended: Int { allocated - live }

  public init(name: String) { self.name = name }

  mutating func add(_ other: LiveRow) {
    live += other.live
    bytes += other.bytes
    allocated += other.allocated
    retains += other.retains
    releases += other.releases
  }
}

extension LiveCounts {
  /// All classes by name; classes with the same name, as in two libraries, share a row.
  public func rows(_ records: [Int: ClassRecord]) -> [LiveRow] {
    var rows: [String: LiveRow] = [:]
    for (record, counters) in classes {
      let name = Self.name(of: record, records)
      var row = LiveRow(name: name)
      row.live = counters.live
      row.bytes = counters.bytes + counters.plain * (records[record]?.instanceSize ?? 0)
      row.allocated = counters.allocated
      row.retains = counters.retains
      row.releases = counters.releases
      rows[name, default: LiveRow(name: name)].add(row)
    }
    return rows.values.sorted { $0.name < $1.name }
  }

  static func name(of record: Int, _ records: [Int: ClassRecord]) -> String {
    records[record]?.name ?? "(class \(record))"
  }
}
