import LifelineLifetimes
import LifelineTrace

/// Finds what the probe itself caught: accesses to dead objects, over-releases, escapes from a deinit.
struct AccessInspector {
  private let histories: [ObjectID: ObjectHistory]
  private let lives: [ObjectID: ObjectLifetime]
  private let dying: DyingInspector

  init(_ lives: [ObjectID: ObjectLifetime], dying: DyingInspector) {
    self.lives = lives
    histories = lives.mapValues(\.history)
    self.dying = dying
  }

  private struct Group {
    var best: LifetimeTracker.Access
    var callers: Set<BacktraceID>
    var counts: AccessCounts
  }

  /// One finding for each object, kind and running call; `backtraces` is the table of the accesses.
  ///
  /// A call that uses a dead object retains it, messages it and releases it: the message says most, so the finding
  /// is about that one. Repetitions are left out, and so are further retains and releases of an object that was
  /// released once too often: they come of that.
  func findings(_ accesses: [LifetimeTracker.Access], _ backtraces: BacktraceTable) -> [Finding] {
    struct Key: Hashable {
      let object: ObjectID
      let kind: EventKind
      let thread: UInt32
    }
    var groups: [Group] = []
    var known: [Key: [Int]] = [:]
    for access in accesses {
      let key = Key(object: access.object, kind: access.event.kind, thread: access.event.thread)
      let callers = Self.callers(access.backtrace, backtraces)
      if let index = known[key]?.first(where: { !groups[$0].callers.isDisjoint(with: callers) }) {
        groups[index].callers.formUnion(callers)
        groups[index].counts.add(access)
        if Self.rank(access) < Self.rank(groups[index].best) { groups[index].best = access }
      } else {
        known[key, default: []].append(groups.count)
        groups.append(Group(best: access, callers: callers, counts: AccessCounts(access)))
      }
    }
    let escapes = Dictionary(
      accesses.filter { $0.event.kind == .resurrection }.map { ($0.object, $0.event.sequence) },
      uniquingKeysWith: { first, _ in first })
    let first = Dictionary(accesses.map { ($0.object, $0.event) }, uniquingKeysWith: { first, _ in first })
    var overReleased: [ObjectID: UInt64] = [:]
    return groups.compactMap { group in
      let object = group.best.object
      if groups.contains(where: { Self.isConsequence(group, of: $0, accesses) }) { return nil }
      if !escapes.isEmpty, isConsequence(group, of: escapes) { return nil }
      if let since = overReleased[object], group.counts.isAll, group.counts.first >= since { return nil }
      let isFirst = first[object]?.sequence == group.counts.first
      let excess = isFirst ? group.counts.excess : nil
      // Its thread had retained the object while that was being deinitialized, which the probe does not catch.
      if excess != nil, let history = histories[object], let intruder = dying.intruder(history),
        intruder.event.thread == group.best.event.thread
      {
        return race(history, intruder)
      }
      let result = finding(excess ?? group.best, isOverRelease: excess != nil)
      // What is at an address that never was an object's has no life that ends.
      if result?.kind == .overRelease, object.number > 0, overReleased[object] == nil {
        overReleased[object] = group.counts.first
      }
      return result
    }
  }

  /// Whether a call used something while it held a dead object, which it had retained: what that one referred to, such
  /// as an object that died with it, or memory that holds something else by now.
  private static func isConsequence(
    _ group: Group, of earlier: Group, _ accesses: [LifetimeTracker.Access]
  ) -> Bool {
    let (access, cause) = (group.best, earlier.best)
    guard [.stray, .useAfterFree].contains(access.event.kind), cause.event.kind == .useAfterFree,
      access.object != cause.object, cause.event.thread == access.event.thread,
      earlier.counts.first < group.counts.first, !earlier.callers.isDisjoint(with: group.callers)
    else { return false }
    let held = accesses.reduce(0) { held, other in
      guard other.object == cause.object, other.event.thread == cause.event.thread,
        other.event.sequence < group.counts.first
      else { return held }
      return switch Finding.Access(number: other.event.argument0) {
      case .retain: held + 1
      case .release: held - 1
      default: held
      }
    }
    return held > 0
  }

  /// Whether what escaped from its deinit was used afterwards, or one of its methods used what ended with it.
  private func isConsequence(_ group: Group, of escapes: [ObjectID: UInt64]) -> Bool {
    let access = group.best.event
    guard access.kind == .useAfterFree else { return false }
    if let since = escapes[group.best.object], since < group.counts.first { return true }
    guard let history = histories[group.best.object],
      let row = history.rows.first(where: { $0.event.sequence == access.sequence })
    else { return false }
    return escapes.contains { whole, since in
      since < group.counts.first && dying.isEnd(of: history, within: whole) && dying.isMember(row, of: whole)
    }
  }

  /// What is outside of the function that made an access: thunks and standard library functions may be between it and
  /// the object, and a function that ends in a tail call is not in the backtrace at all.
  private static func callers(_ backtrace: BacktraceID, _ backtraces: BacktraceTable) -> Set<BacktraceID> {
    var result: Set<BacktraceID> = []
    var caller = backtrace
    for _ in 0..<6 {
      caller = backtraces.caller(of: caller)
      if caller == .empty { break }
      result.insert(caller)
    }
    return result
  }

  /// Lower for what says more. What the object referred to is used by some code that need not be near the reference to
  /// the object; the code that retained the object had that reference.
  private static func rank(_ access: LifetimeTracker.Access) -> Int {
    switch Finding.Access(number: access.event.argument0) {
    case .message: 0
    case .write: 1
    case .read where !access.event.isReadOfReference: 2
    case .retain: 3
    case .read: 4
    case .release, nil: 5
    }
  }

  private func finding(_ access: LifetimeTracker.Access, isOverRelease: Bool) -> Finding? {
    let kind: Finding.Kind
    let how = Finding.Access(number: access.event.argument0)
    switch access.event.kind {
    // Code that uses a dangling reference messages the object, or retains and releases it. A release without a retain
    // returns a reference that other code has already returned.
    case .useAfterFree: kind = isOverRelease ? .overRelease : .useAfterFree
    case .stray: kind = .notAnObject
    case .overRelease: kind = .overRelease
    case .resurrection: kind = .resurrection
    case .unownedAfterDeinit: kind = .unownedAfterDeinit
    default: return nil
    }
    let history = histories[access.object]
    // A resurrection is reported at the end of the deinit, by the thread that ran it; the object's history shows the
    // cause.
    if kind == .resurrection, let history {
      let escape = dying.escape(history, lives[history.id]?.holds ?? [])
      if escape == nil, let intruder = dying.intruder(history) { return race(history, intruder) }
      return resurrection(history, escape)
    }
    // Backtrace numbers refer to the histories' table, because the access is one of the object's rows.
    let row = history?.rows.first { $0.event.sequence == access.event.sequence }
    var finding = Finding(
      kind: kind, severity: .error, object: access.object,
      access: access.event.kind == .useAfterFree || kind == .notAnObject ? how : kind == .overRelease ? .release : nil,
      accessedAddress: access.event.argument1, places: Self.place(.access, row) + (history.map(Self.ends) ?? []))
    if kind == .notAnObject { finding.stack = Finding.Stack(rawValue: access.event.argument0 & ~0xFF) }
    finding.isReadOfReference = finding.access == .read && access.event.isReadOfReference
    finding.isReadOfClass = finding.access == .read && access.event.argument1 == access.event.object
    return finding
  }

  /// Objects that another thread retained while their deinit ran, about which the probe reported nothing.
  ///
  /// An object without an allocation may be several, which the optimizer put on the stack one after another.
  func races(_ retains: [LifetimeTracker.DyingRetain], besides known: [Finding]) -> [Finding] {
    var seen = Set(known.map(\.object))
    return retains.compactMap { retain in
      guard !retain.object.className.isEmpty, seen.insert(retain.object).inserted,
        let history = histories[retain.object], let life = lives[retain.object]
      else { return nil }
      // The other thread may be done with what the deinit gave it before the deinit ends.
      if let escape = life.escape { return resurrection(history, escape) }
      return life.intruder.map { race(history, $0) }
    }
  }

  private func resurrection(_ history: ObjectHistory, _ escape: HistoryRow?) -> Finding {
    Finding(
      kind: .resurrection, severity: .error, object: history.id, access: nil, accessedAddress: 0,
      places: Self.place(.access, escape) + Self.ends(history))
  }

  private func race(_ history: ObjectHistory, _ intruder: HistoryRow) -> Finding {
    Finding(
      kind: .useAfterFree, severity: .error, object: history.id, access: .retain, accessedAddress: 0,
      places: Self.place(.access, intruder) + Self.ends(history))
  }

  private static func place(_ role: Finding.Role, _ row: HistoryRow?) -> [Finding.Place] {
    row.map { [Finding.Place(role: role, event: $0.event, backtrace: $0.backtrace)] } ?? []
  }

  private static func ends(_ history: ObjectHistory) -> [Finding.Place] {
    let ends: [(Finding.Role, HistoryRow?)] = [
      (.deallocation, history.deallocation ?? history.free), (.finalRelease, history.finalRelease),
      (.allocation, history.allocation),
    ]
    return ends.compactMap { role, row in
      row.map { Finding.Place(role: role, event: $0.event, backtrace: $0.backtrace) }
    }
  }
}
