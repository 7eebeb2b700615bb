import LifelineTrace

/// From when to when an object lived, and where it was created.
public struct Presence: Sendable {
  /// Full class name.
  public let className: String
  public let allocation: Event
  public internal(set) var backtrace = BacktraceID.empty
  /// The end of its deinit; nil if there was none.
  public internal(set) var end: UInt64?

  public func contains(_ sequence: UInt64) -> Bool {
    allocation.sequence < sequence && (end.map { sequence < $0 } ?? true)
  }
}
