/// From a moment on one object of so many was recorded, of those that had been before.
public struct SampleChange: Sendable, Equatable {
  public let denominator: Int
  /// Reading of the event clock.
  public let clock: UInt64
}
