/// The objects of one class and site on one thread, each compared with the one of the same number in the other
/// recording.
struct AlignedLives {
  typealias Change = LifetimeComparison.Change

  private(set) var groups: [LifetimeComparison.Group] = []
  private(set) var unchanged = 0
  /// The differences between two shapes, for all pairs seen so far, and for the last one.
  private var known: [Pair: [Change]] = [:]
  private var last: (pair: Pair, changes: [Change])?

  private struct Pair: Hashable {
    let old: ObjectIdentifier
    let new: ObjectIdentifier
  }

  init(old: [LifetimeSignature], new: [LifetimeSignature], tolerance: Int) {
    // Both are ordered by number, possibly with gaps.
    var rest = old[...], gone: [LifetimeSignature] = []
    for life in new {
      while let first = rest.first, first.ordinal < life.ordinal { gone.append(rest.removeFirst()) }
      let counterpart = rest.first?.ordinal == life.ordinal ? rest.removeFirst() : nil
      add(life, counterpart, counterpart.map { changes($0, life, tolerance) } ?? [.onlyNew])
    }
    for life in gone + rest { add(life, nil, [.onlyOld]) }
  }

  private mutating func add(_ life: LifetimeSignature, _ counterpart: LifetimeSignature?, _ changes: [Change]) {
    guard !changes.isEmpty else { return unchanged += 1 }
    if let index = groups.firstIndex(where: { $0.changes == changes }) {
      groups[index].count += 1
    } else {
      groups.append(
        LifetimeComparison.Group(
          className: life.object.className, site: life.site, changes: changes, first: life, counterpart: counterpart,
          count: 1))
    }
  }

  private mutating func changes(_ old: LifetimeSignature, _ new: LifetimeSignature, _ tolerance: Int) -> [Change] {
    var changes = changes(old.shape, new.shape)
    if new.isLiveAtExit != old.isLiveAtExit { changes.append(new.isLiveAtExit ? .becameImmortal : .becameMortal) }
    if !new.isLiveAtExit, !old.isLiveAtExit {
      if Self.grew(old.length, new.length, tolerance) { changes.append(.longer) }
      if !changes.isEmpty, Self.grew(new.length, old.length, tolerance) { changes.append(.shorter) }
    }
    return changes.sorted()
  }

  /// The differences between two shapes.
  private mutating func changes(_ old: LifetimeShape, _ new: LifetimeShape) -> [Change] {
    let pair = Pair(old: ObjectIdentifier(old), new: ObjectIdentifier(new))
    if let last, last.pair == pair { return last.changes }
    if let known = known[pair] {
      last = (pair, known)
      return known
    }
    var changes: [Change] = []
    if let from = old.finalRelease, let to = new.finalRelease, from != to {
      changes.append(.finalReleaseMoved(from: from, to: to))
    }
    for (function, count) in Self.balance(old.retains, new.retains) {
      changes.append(count > 0 ? .retainAppeared(function, count) : .retainVanished(function, -count))
    }
    for (function, count) in Self.balance(old.releases, new.releases) {
      changes.append(count > 0 ? .releaseAppeared(function, count) : .releaseVanished(function, -count))
    }
    known[pair] = changes
    last = (pair, changes)
    return changes
  }

  private static func grew(_ from: UInt64, _ to: UInt64, _ tolerance: Int) -> Bool {
    to >= from &+ 10 && Double(to) > Double(from) * (1 + Double(tolerance) / 100)
  }

  private static func balance(_ old: [String: Int], _ new: [String: Int]) -> [(String, Int)] {
    // Most objects are unchanged.
    old == new
      ? []
      : Set(old.keys).union(new.keys).sorted().compactMap { name in
        let count = new[name, default: 0] - old[name, default: 0]
        return count == 0 ? nil : (name, count)
      }
  }
}
