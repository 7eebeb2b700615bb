/// An event's position in the order of all events, and its time.
public struct Moment: Hashable, Sendable {
  public let sequence: UInt64
  /// Reading of the event clock.
  public let clock: UInt64

  public init(sequence: UInt64, clock: UInt64) {
    self.sequence = sequence
    self.clock = clock
  }
}
