import LifelineLifetimes
import LifelineTrace

/// Finds what the probe itself caught: accesses to dead objects, over-releases, escapes from a deinit.
public struct AccessInspector {
  private let histories: [ObjectID: ObjectHistory]

  public init(histories: [ObjectHistory]) {
    self.histories = Dictionary(histories.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// One finding for each object and kind of access at one place; repetitions are left out.
  public func findings(_ accesses: [LifetimeTracker.Access]) -> [Finding] {
    struct Key: Hashable {
      let object: ObjectID
      let kind: EventKind
      let backtrace: BacktraceID
    }
    var seen: Set<Key> = []
    return accesses.compactMap { access in
      guard seen.insert(Key(object: access.object, kind: access.event.kind, backtrace: access.backtrace)).inserted
      else { return nil }
      return finding(access)
    }
  }

  private func finding(_ access: LifetimeTracker.Access) -> Finding? {
    let kind: Finding.Kind
    switch access.event.kind {
    case .useAfterFree: kind = .useAfterFree
    case .overRelease: kind = .overRelease
    case .resurrection: kind = .resurrection
    case .unownedAfterDeinit: kind = .unownedAfterDeinit
    default: return nil
    }
    var places: [Finding.Place] = []
    let history = histories[access.object]
    // Backtrace numbers are those of the histories' table: the access is one of the object's rows.
    let rows = history?.rows ?? []
    if let row = rows.first(where: { $0.event.sequence == access.event.sequence }) {
      places.append(Finding.Place(role: .access, event: row.event, backtrace: row.backtrace))
    }
    let ends: [(Finding.Role, HistoryRow?)] = [
      (.deallocation, history?.deallocation ?? history?.free), (.finalRelease, history?.finalRelease),
      (.allocation, history?.allocation),
    ]
    for (role, row) in ends {
      if let row { places.append(Finding.Place(role: role, event: row.event, backtrace: row.backtrace)) }
    }
    return Finding(
      kind: kind, severity: .error, object: access.object,
      access: kind == .useAfterFree ? Finding.Access(number: access.event.argument0) : nil,
      accessedAddress: access.event.argument1, places: places)
  }
}
