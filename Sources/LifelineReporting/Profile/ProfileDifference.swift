import LifelineLifetimes

/// What two profiles cost, class by class and function by function: `lifeline.profile-difference/1`.
///
/// Entries are matched by name only, so the two may come from different builds.
public struct ProfileDifference: Codable, Sendable, Equatable {
  /// The cost in the earlier trace and in the later one; nil if it did not occur.
  public struct Change: Codable, Sendable, Equatable {
    public var before: ProfileReport.Cost?
    public var after: ProfileReport.Cost?
    /// Estimated added nanoseconds; negative if it became cheaper.
    public var nanoseconds: Int

    init(before: ProfileReport.Cost?, after: ProfileReport.Cost?) {
      self.before = before
      self.after = after
      nanoseconds = (after?.nanoseconds ?? 0) - (before?.nanoseconds ?? 0)
    }
  }

  public struct Class: Codable, Sendable, Equatable {
    public var name: String
    public var change: Change
  }

  public struct Function: Codable, Sendable, Equatable {
    public var function: String
    /// In the function itself.
    public var exclusive: Change
    /// And in everything that it called.
    public var inclusive: Change
  }

  public struct Omissions: Codable, Sendable, Equatable {
    public var classes = 0
    public var functions = 0
  }

  public var schema = "lifeline.profile-difference/1"
  /// The programs of the earlier and of the later trace.
  public var programBefore: String
  public var programAfter: String
  public var prices: ProfilePrices
  public var total: Change
  /// Those that differ, the largest change of the estimate first.
  public var classes: [Class]
  public var functions: [Function]
  /// Number of differing entries beyond the limit.
  public var omitted: Omissions

  /// `before` and `after` must have all their entries; `top` is the maximum length of each list. O(n log n).
  public init(before: ProfileReport, after: ProfileReport, top: Int) {
    programBefore = before.program
    programAfter = after.program
    prices = after.prices
    total = Change(before: before.total, after: after.total)
    let classes = Self.joined(before.classes.map { ($0.name, $0.cost) }, after.classes.map { ($0.name, $0.cost) })
    let own = Self.joined(
      before.functions.map { ($0.function, $0.exclusive) }, after.functions.map { ($0.function, $0.exclusive) })
    let whole = Self.joined(
      before.functions.map { ($0.function, $0.inclusive) }, after.functions.map { ($0.function, $0.inclusive) })
    let changedClasses = Self.ranked(classes)
    let changedFunctions = Self.ranked(own)
    self.classes = changedClasses.prefix(top).map { Class(name: $0, change: classes[$0]!) }
    functions = changedFunctions.prefix(top).map {
      Function(function: $0, exclusive: own[$0]!, inclusive: whole[$0]!)
    }
    omitted = Omissions(
      classes: max(0, changedClasses.count - top), functions: max(0, changedFunctions.count - top))
  }

  /// Names that occur twice, in two images, are summed.
  private static func joined(
    _ before: [(String, ProfileReport.Cost)], _ after: [(String, ProfileReport.Cost)]
  ) -> [String: Change] {
    let old = Dictionary(before, uniquingKeysWith: +), new = Dictionary(after, uniquingKeysWith: +)
    return Dictionary(
      uniqueKeysWithValues: Set(old.keys).union(new.keys).map { ($0, Change(before: old[$0], after: new[$0])) })
  }

  /// Differing entries, in the same order for the same traces.
  private static func ranked(_ changes: [String: Change]) -> [String] {
    changes.filter { $0.value.before != $0.value.after }.sorted { a, b in
      (b.value.nanoseconds.magnitude, a.key) < (a.value.nanoseconds.magnitude, b.key)
    }.map(\.key)
  }
}

extension ProfileReport.Cost {
  static func + (a: Self, b: Self) -> Self {
    var sum = a
    sum.allocations += b.allocations
    sum.bytes += b.bytes
    sum.live += b.live
    sum.liveBytes += b.liveBytes
    sum.retains += b.retains
    sum.releases += b.releases
    sum.avoidable += b.avoidable
    sum.nanoseconds += b.nanoseconds
    return sum
  }
}
