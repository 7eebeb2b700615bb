import LifelineLifetimes

/// Where reference counting costs, with names: `lifeline.profile/1`.
public struct ProfileReport: Codable, Sendable, Equatable {
  /// The counts, and the estimated nanoseconds.
  public struct Cost: Codable, Sendable, Equatable {
    public var allocations: Int
    public var bytes: Int
    public var live: Int
    public var liveBytes: Int
    public var retains: Int
    public var releases: Int
    public var avoidable: Int
    public var nanoseconds: Int

    init(_ cost: ProfileCost, _ prices: ProfilePrices) {
      allocations = cost.allocations
      bytes = cost.bytes
      live = cost.live
      liveBytes = cost.liveBytes
      retains = cost.retains
      releases = cost.releases
      avoidable = cost.avoidable
      nanoseconds = prices.nanoseconds(cost)
    }
  }

  public struct Class: Codable, Sendable, Equatable {
    public var name: String
    public var cost: Cost
  }

  /// A function that calls, or is called by, another one, and the costs between them.
  public struct Neighbor: Codable, Sendable, Equatable {
    public var function: String
    public var cost: Cost
  }

  public struct Function: Codable, Sendable, Equatable {
    public var function: String
    public var image: String
    public var isSystem: Bool
    /// In the function itself.
    public var exclusive: Cost
    /// And in everything that it called; recursion counts once.
    public var inclusive: Cost
    /// The ten most expensive.
    public var callers: [Neighbor]
    public var callees: [Neighbor]
  }

  public struct Line: Codable, Sendable, Equatable {
    public var file: String
    public var line: Int
    public var function: String
    /// Where it is the innermost line of the program's own code.
    public var exclusive: Cost
    /// And where it is anywhere in the backtrace.
    public var inclusive: Cost
  }

  /// Pairs of retain and release that could have been avoided, because another owner kept the object throughout.
  public struct AvoidablePair: Codable, Sendable, Equatable {
    public var `class`: String
    public var function: String
    public var file: String?
    public var line: Int?
    public var count: Int
    /// Retain and release together.
    public var nanoseconds: Int
  }

  public struct Omissions: Codable, Sendable, Equatable {
    public var classes = 0
    public var functions = 0
    public var lines = 0
    public var avoidable = 0
  }

  public var schema = "lifeline.profile/1"
  public var program: String
  public var events: UInt64
  /// Events whose callers were dropped because there were too many different backtraces.
  public var shortened: UInt64
  public var prices: ProfilePrices
  public var total: Cost
  /// Most expensive first, as in all lists here.
  public var classes: [Class]
  public var functions: [Function]
  public var lines: [Line]
  public var avoidable: [AvoidablePair]
  /// Number of entries beyond the limit.
  public var omitted: Omissions
}
