/// A buffer for events that are read at once, with those of their backtraces that are worth keeping; its owner must
/// deallocate it.
///
/// Singly read events wait for memory one by one; in a batch the waits overlap.
public struct EventBatch {
  /// Small enough to stay in the first-level cache.
  public static let capacity = 128

  public let events: UnsafeMutablePointer<Event>
  /// Parallel to the events: set if `Event.keepsBacktrace`, otherwise empty.
  public let backtraces: UnsafeMutablePointer<BacktraceID>
  /// Number of events read.
  public internal(set) var count = 0

  public init() {
    events = .allocate(capacity: Self.capacity)
    events.initialize(repeating: Event(), count: Self.capacity)
    backtraces = .allocate(capacity: Self.capacity)
    backtraces.initialize(repeating: .empty, count: Self.capacity)
  }

  public func deallocate() {
    events.deallocate()
    backtraces.deallocate()
  }
}
