/// What changed in the lives of objects between two recordings.
///
/// Objects are matched by class and allocating function: objects of one thread by number, objects shared by threads as
/// a group. A change that several objects have in common is reported once.
public struct LifetimeComparison: Sendable, Equatable {
  public enum Change: Sendable, Hashable, Comparable {
    case onlyOld, onlyNew
    case becameImmortal, becameMortal
    case finalReleaseMoved(from: String, to: String)
    case retainAppeared(String, Int), retainVanished(String, Int)
    case releaseAppeared(String, Int), releaseVanished(String, Int)
    case longer, shorter

    /// Whether it is a difference by itself; a lifetime of fewer events is reported, but is not one.
    var counts: Bool { self != .shorter }
  }

  /// Objects of one class and site with the same changes.
  public struct Group: Sendable, Equatable {
    public let className: String
    public let site: String
    public let changes: [Change]
    /// In the new recording, or in the old one for objects found only there.
    public let first: LifetimeSignature
    /// The counterpart of `first`.
    public let counterpart: LifetimeSignature?
    public internal(set) var count: Int
  }

  public let groups: [Group]
  /// The number of unchanged objects.
  public let unchanged: Int
  public var isDifferent: Bool { groups.contains { $0.changes.contains(where: \.counts) } }

  /// - Parameters:
  ///   - tolerance: percent by which a lifetime may grow in events, once it grows by at least ten; for objects that
  /// threads share, percent by which their number may differ.
  ///   - libraryFunctions: functions of libraries. How often those touch a shared object is random.
  public init(
    old before: KindsOfLives, new after: KindsOfLives, libraryFunctions: Set<String> = [], tolerance: Int
  ) {
    let known = Set(after.kinds)
    var groups: [Group] = []
    var same = 0
    for kind in after.kinds + before.kinds.filter({ !known.contains($0) }) {
      let one = before[kind], other = after[kind]
      if Self.isConcurrent(one) || Self.isConcurrent(other) {
        let lives = ConcurrentLives(
          old: one, new: other, libraryFunctions: libraryFunctions, tolerance: tolerance)
        groups += lives.groups
        if lives.groups.isEmpty { same += other.count }
      } else {
        let lives = AlignedLives(old: one, new: other, tolerance: tolerance)
        groups += lives.groups
        same += lives.unchanged
      }
    }
    unchanged = same
    // Among equals, the one allocated first comes first.
    self.groups = groups.enumerated().sorted {
      ($0.element.consequence, $0.offset) < ($1.element.consequence, $1.offset)
    }.map(\.element)
  }

  /// Several threads allocated or touched them, so their order and number are random.
  private static func isConcurrent(_ lives: [LifetimeSignature]) -> Bool {
    lives.contains { $0.isShared || $0.thread != lives[0].thread }
  }
}

extension LifetimeComparison.Group {
  /// 0 for what matters most: objects that no longer die, then longer or new ones, then changes of who ends them.
  var consequence: Int {
    changes.map { change in
      switch change {
      case .becameImmortal: 0
      case .longer: 1
      case .onlyNew: 2
      case .finalReleaseMoved: 3
      case .retainAppeared, .retainVanished, .releaseAppeared, .releaseVanished: 4
      case .becameMortal: 5
      case .onlyOld: 6
      case .shorter: 7
      }
    }.min() ?? 8
  }
}
