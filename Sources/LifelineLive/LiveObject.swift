import LifelineTrace

/// A live object.
public struct LiveObject: Sendable, Equatable {
  public let address: UInt64
  public let className: String
  /// Bytes, 0 if unknown.
  public let size: Int
  /// The event clock at its allocation.
  public let clock: UInt64
  /// Where it was allocated.
  public let site: BacktraceID
}

extension LiveCounts {
  /// The oldest live objects, of a class or of all, oldest first. The time grows with the number of live objects.
  public func oldest(_ limit: Int, of name: String? = nil, _ records: [Int: ClassRecord]) -> [LiveObject] {
    let wanted = name.map { name in classes.map { Self.name(of: $0.record, records) == name } }
    var found: [LiveTable.Entry] = []
    var bound = UInt64.max
    for entry in table.places where entry.address != 0 && entry.isLive && entry.clock <= bound {
      if let wanted, !wanted[Int(entry.owner)] { continue }
      found.append(entry)
      if found.count >= 2 * limit + 64 {
        found.sort { ($0.clock, $0.address) < ($1.clock, $1.address) }
        found.removeLast(found.count - limit)
        bound = found.last?.clock ?? 0
      }
    }
    return found.sorted { ($0.clock, $0.address) < ($1.clock, $1.address) }.prefix(limit).map { entry in
      let record = classes[Int(entry.owner)].record
      return LiveObject(
        address: entry.address, className: Self.name(of: record, records),
        size: entry.size == 0 ? records[record]?.instanceSize ?? 0 : Int(entry.size), clock: entry.clock,
        site: BacktraceID(rawValue: entry.site))
    }
  }

  /// The allocation sites of a class's live objects with their counts, largest first.
  public func sites(of name: String, _ records: [Int: ClassRecord]) -> [(site: BacktraceID, live: Int)] {
    let wanted = classes.map { Self.name(of: $0.record, records) == name }
    var found: [UInt32: Int] = [:]
    for entry in table.places where entry.address != 0 && entry.isLive && wanted[Int(entry.owner)] {
      found[entry.site, default: 0] += 1
    }
    return found.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { (BacktraceID(rawValue: $0.key), $0.value) }
  }
}
