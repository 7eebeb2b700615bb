import LifelineLifetimes

/// How an object outlived its last owner.
public struct LateDeallocation: Sendable {
  /// The last owner and its release.
  public let lastOwner: Hold
  public let ownerRelease: HistoryRow
  /// The transient activity that kept the object after that.
  public let kept: Hold
  /// The end of that hold, nil if it still lasted when the recording ended.
  public let finalRelease: HistoryRow?
  /// If the hold still lasted, the registration of its reference, whose end nothing shows.
  public let registration: Hold?
  /// The event until which the object was kept: the final release, or the access that stopped the program.
  public let until: UInt64
  /// Whether the notification of a post contained the object, which the post was given that way.
  var isOfNotification = false

  init(
    lastOwner: Hold, ownerRelease: HistoryRow, kept: Hold, finalRelease: HistoryRow?, registration: Hold? = nil,
    until: UInt64
  ) {
    self.registration = registration
    self.lastOwner = lastOwner
    self.ownerRelease = ownerRelease
    self.kept = kept
    self.finalRelease = finalRelease
    self.until = until
  }

  /// The first event at which the activity is known to have held, or nil if no event shows it.
  public var keptSince: UInt64? {
    guard case .activity(let rule) = kept.holder else {
      return kept.activityStart?.sequence ?? kept.retain.event.sequence
    }
    // The object's initial reference was given to the activity at some time, which nothing shows.
    if rule.scope != .call { return kept.retain.event.kind == .allocate ? nil : kept.retain.event.sequence }
    return kept.activityStart.flatMap { $0.sequence < ownerRelease.event.sequence ? $0.sequence : nil }
  }

  /// Events after the last owner's release.
  public var events: UInt64 { until - ownerRelease.event.sequence }

  /// Whether an event is in the time in which only the activity kept the object.
  public func contains(_ sequence: UInt64) -> Bool { ownerRelease.event.sequence < sequence && sequence <= until }
}
