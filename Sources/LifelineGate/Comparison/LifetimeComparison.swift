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

    /// Whether it is a difference by itself; a changed number of events around a lifetime is reported, but is not one.
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
    public internal(set) var count: Int
  }

  public let groups: [Group]
  /// Objects whose lives are as before.
  public let unchanged: Int
  public var isDifferent: Bool { groups.contains { $0.changes.contains(where: \.counts) } }

  /// - Parameters:
  ///   - tolerance: percent by which a life may grow in events, as long as it grows by ten at least; for objects that
  ///     threads share, percent by which their number may differ.
  ///   - libraryFunctions: functions of libraries. How often those touch an object that threads share is chance.
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
    // Of equal consequence the one that was allocated first comes first.
    self.groups = groups.enumerated().sorted {
      ($0.element.consequence, $0.offset) < ($1.element.consequence, $1.offset)
    }.map(\.element)
  }

  /// Several threads allocated or touched them, so that their order and number are a matter of chance.
  private static func isConcurrent(_ lives: [LifetimeSignature]) -> Bool {
    lives.contains { $0.isShared || $0.thread != lives[0].thread }
  }
}

extension LifetimeComparison.Group {
  /// 0 for what matters most: what does not die any more, then what lives longer or is new, then who ends it.
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
