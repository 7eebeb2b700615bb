/// The counts at one place in the code, for one class, or for a sum of them.
public struct ProfileCost: Sendable, Equatable {
  public var allocations = 0
  public var bytes = 0
  public var live = 0
  public var liveBytes = 0
  public var retains = 0
  public var releases = 0
  public var avoidable = 0

  public init() {}

  public subscript(metric: ProfileMetric) -> Int {
    switch metric {
    case .allocations: allocations
    case .bytes: bytes
    case .live: live
    case .liveBytes: liveBytes
    case .retains: retains
    case .releases: releases
    case .avoidable: avoidable
    }
  }

  public var isZero: Bool { self == Self() }

  public static func += (left: inout Self, right: Self) {
    left.allocations &+= right.allocations
    left.bytes &+= right.bytes
    left.live &+= right.live
    left.liveBytes &+= right.liveBytes
    left.retains &+= right.retains
    left.releases &+= right.releases
    left.avoidable &+= right.avoidable
  }

  public static func + (left: Self, right: Self) -> Self {
    var sum = left
    sum += right
    return sum
  }
}
