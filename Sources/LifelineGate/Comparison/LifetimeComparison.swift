/// What changed in the lives of objects between two recordings.
///
/// Objects are aligned by class, the function that allocated them, and their number among those; what changed alike
/// for several is reported once.
public struct LifetimeComparison: Sendable, Equatable {
  public enum Change: Sendable, Hashable, Comparable {
    case onlyOld, onlyNew
    case becameImmortal, becameMortal
    case finalReleaseMoved(from: String, to: String)
    case retainAppeared(String, Int), retainVanished(String, Int)
    case releaseAppeared(String, Int), releaseVanished(String, Int)
    case longer, shorter

    /// Whether it is a difference by itself: more or fewer events around a life alone are told, but are none.
    var counts: Bool { self != .shorter }
  }

  /// Objects of one class and site to which the same happened.
  public struct Group: Sendable, Equatable {
    public let className: String
    public let site: String
    public let changes: [Change]
    /// In the new recording, or in the old one for objects that only it has.
    public let first: LifetimeSignature
    /// The counterpart of `first`.
    public let counterpart: LifetimeSignature?
    public let count: Int
  }

  public let groups: [Group]
  /// Objects whose lives are as before.
  public let unchanged: Int
  public var isDifferent: Bool { groups.contains { $0.changes.contains(where: \.counts) } }

  /// - Parameter tolerance: percent by which a life may grow in events, as long as it grows by ten at least.
  public init(old: [LifetimeSignature], new: [LifetimeSignature], tolerance: Int) {
    let before = Dictionary(old.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.map(\.key))
    struct Key: Hashable {
      let className: String
      let site: String
      let changes: [Change]
    }
    var order: [Key] = []
    var found: [Key: (first: LifetimeSignature, counterpart: LifetimeSignature?, count: Int)] = [:]
    var same = 0
    func add(_ life: LifetimeSignature, _ counterpart: LifetimeSignature?, _ changes: [Change]) {
      guard !changes.isEmpty else { return same += 1 }
      let key = Key(className: life.object.className, site: life.site, changes: changes)
      if found[key] == nil { order.append(key) }
      found[key, default: (life, counterpart, 0)].count += 1
    }
    for life in new {
      let counterpart = before[life.key]
      add(life, counterpart, counterpart.map { Self.changes($0, life, tolerance) } ?? [.onlyNew])
    }
    for life in old where !after.contains(life.key) { add(life, nil, [.onlyOld]) }
    unchanged = same
    groups = order.compactMap { key in
      found[key].map {
        Group(
          className: key.className, site: key.site, changes: key.changes, first: $0.first, counterpart: $0.counterpart,
          count: $0.count)
      }
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
