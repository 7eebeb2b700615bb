import LifelineLifetimes

/// The span from a retain to the release that balances it, and who held.
public struct Hold: Sendable {
  /// How certain it is that the release is the one that balances the retain.
  public enum Balance: String, Sendable {
    case sure, likely
    /// Nothing that was recorded balances it.
    case open
  }

  public let holder: Holder
  /// How well it is known that the holder is the one.
  public let confidence: Confidence
  public let balance: Balance
  public let retain: HistoryRow
  public let release: HistoryRow?
  /// For the hold of a call: the first event seen inside that call, which took over from the retainer. For a closure
  /// that the heap shows: when it was made.
  public let activityStart: Moment?
  /// The event at which another holder took over without a retain of its own.
  public var handover: Moment?

  /// The first event at which the holder held.
  public var from: UInt64 {
    holder.isTransient ? activityStart?.sequence ?? retain.event.sequence : retain.event.sequence
  }
  /// Readings of the event clock at both ends; the second is nil for an open hold.
  public var clocks: (from: UInt64, to: UInt64?) {
    (
      holder.isTransient ? activityStart?.clock ?? retain.event.clock : retain.event.clock,
      handover?.clock ?? release?.event.clock
    )
  }

  /// The event that ended the hold, or nil.
  public var to: UInt64? { handover?.sequence ?? release?.event.sequence }

  /// Whether it held after an event.
  public func holds(at sequence: UInt64) -> Bool { from <= sequence && (to.map { sequence < $0 } ?? true) }
}
