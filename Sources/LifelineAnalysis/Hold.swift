import LifelineLifetimes

/// The span from a retain to the release that balances it, and who held.
public struct Hold: Sendable {
  public enum Confidence: String, Sendable {
    case sure, likely
    /// Nothing that was recorded balances it.
    case open
  }

  public let holder: Holder
  public let confidence: Confidence
  public let retain: HistoryRow
  public let release: HistoryRow?
  /// For the hold of a call: the first event seen inside that call, when it is earlier than the retain says or not.
  public let activityStart: UInt64?

  /// The first event at which the holder held.
  public var from: UInt64 { holder.isTransient ? activityStart ?? retain.event.sequence : retain.event.sequence }
  /// The event that ended the hold, or nil.
  public var to: UInt64? { release?.event.sequence }

  /// Whether it held after an event.
  public func holds(at sequence: UInt64) -> Bool { from <= sequence && (to.map { sequence < $0 } ?? true) }
}
