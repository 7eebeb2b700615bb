/// From a moment on one in this many objects was recorded, among those recorded before.
public struct SampleChange: Sendable, Equatable {
  public let denominator: Int
  /// The event clock.
  public let clock: UInt64
}
