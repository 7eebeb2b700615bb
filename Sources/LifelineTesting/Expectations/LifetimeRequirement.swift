/// What the trait `.lifetimes` requires of a test.
public struct LifetimeRequirement: OptionSet, Sendable {
  /// One bit for each requirement.
  public let rawValue: Int
  /// The requirements with these bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Every object that the test allocates is gone when it ends.
  public static let noLeaks = Self(rawValue: 1)
  /// The test never uses an object that is gone.
  public static let noUseAfterFree = Self(rawValue: 2)
}
