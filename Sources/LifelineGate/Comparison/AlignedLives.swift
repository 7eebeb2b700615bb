/// The lives of one class and site on one thread, each held against the one of the same number in the other recording.
struct AlignedLives {
  typealias Change = LifetimeComparison.Change

  private(set) var groups: [LifetimeComparison.Group] = []
  private(set) var unchanged = 0

  init(old: [LifetimeSignature], new: [LifetimeSignature], tolerance: Int) {
    let before = Dictionary(old.map { ($0.ordinal, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.map(\.ordinal))
    for life in new {
      let counterpart = before[life.ordinal]
      add(life, counterpart, counterpart.map { Self.changes($0, life, tolerance) } ?? [.onlyNew])
    }
    for life in old where !after.contains(life.ordinal) { add(life, nil, [.onlyOld]) }
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

  private static func changes(_ old: LifetimeSignature, _ new: LifetimeSignature, _ tolerance: Int) -> [Change] {
    var changes: [Change] = []
    if new.isLiveAtExit != old.isLiveAtExit { changes.append(new.isLiveAtExit ? .becameImmortal : .becameMortal) }
    if let from = old.finalRelease, let to = new.finalRelease, from != to {
      changes.append(.finalReleaseMoved(from: from, to: to))
    }
    for (function, count) in balance(old.retains, new.retains) {
      changes.append(count > 0 ? .retainAppeared(function, count) : .retainVanished(function, -count))
    }
    for (function, count) in balance(old.releases, new.releases) {
      changes.append(count > 0 ? .releaseAppeared(function, count) : .releaseVanished(function, -count))
    }
    if !new.isLiveAtExit, !old.isLiveAtExit {
      if grew(old.length, new.length, tolerance) { changes.append(.longer) }
      if !changes.isEmpty, grew(new.length, old.length, tolerance) { changes.append(.shorter) }
    }
    return changes.sorted()
  }

  private static func grew(_ from: UInt64, _ to: UInt64, _ tolerance: Int) -> Bool {
    to >= from &+ 10 && Double(to) > Double(from) * (1 + Double(tolerance) / 100)
  }

  private static func balance(_ old: [String: Int], _ new: [String: Int]) -> [(String, Int)] {
    Set(old.keys).union(new.keys).sorted().compactMap { name in
      let count = new[name, default: 0] - old[name, default: 0]
      return count == 0 ? nil : (name, count)
    }
  }
}
