import LifelineLifetimes

/// The span from a retain to the release that balances it, and the holder.
public struct Hold: Sendable {
  /// How certain it is that this release balances the retain.
  public enum Balance: String, Sendable {
    case sure, likely
    /// No recorded release balances it.
    case open
  }

  public let holder: Holder
  /// How certain the holder is.
  public let confidence: Confidence
  public let balance: Balance
  /// Whether another release may have balanced the retain just as well.
  public var isDoubtful = false
  public let retain: HistoryRow
  public let release: HistoryRow?
  /// For the hold of a call: the first event inside that call, which took over from the retainer. For a closure found
  /// in the heap, or one that took the reference over: when it was created.
  public let activityStart: Moment?
  /// The event at which another holder took over without a retain of its own.
  public var handover: Moment?

  /// The first event at which the holder held.
  public var from: UInt64 {
    holder.isTransient ? activityStart?.sequence ?? retain.event.sequence : retain.event.sequence
  }
  /// The event clock at both ends; the second is nil for an open hold.
  public var clocks: (from: UInt64, to: UInt64?) {
    (
      holder.isTransient ? activityStart?.clock ?? retain.event.clock : retain.event.clock,
      handover?.clock ?? release?.event.clock
    )
  }

  /// The event that ended the hold, or nil.
  public var to: UInt64? { handover?.sequence ?? release?.event.sequence }

  /// The same, by some stored reference.
  var withoutName: Hold {
    Hold(
      holder: .reference, confidence: isDoubtful ? .perhaps : .likely, balance: balance, isDoubtful: isDoubtful,
      retain: retain, release: release, activityStart: activityStart, handover: handover)
  }

  /// Whether it held after an event.
  public func holds(at sequence: UInt64) -> Bool { from <= sequence && (to.map { sequence < $0 } ?? true) }
}
