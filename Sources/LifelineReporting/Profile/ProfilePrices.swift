import LifelineLifetimes

/// Nanoseconds that the runtime needs without a recorder, measured by `Scripts/benchmark` (Documentation/Costs.md).
public struct ProfilePrices: Codable, Sendable, Equatable {
  /// A retain or a release.
  public var reference: Double
  /// An allocation together with its free.
  public var allocation: Double

  public init(reference: Double = 6, allocation: Double = 32) {
    self.reference = reference
    self.allocation = allocation
  }

  /// Estimated nanoseconds of a cost, rounded.
  public func nanoseconds(_ cost: ProfileCost) -> Int {
    let value = Double(cost.retains + cost.releases) * reference + Double(cost.allocations) * allocation
    return value < 1e18 ? Int(value.rounded()) : Int(1e18)
  }
}
