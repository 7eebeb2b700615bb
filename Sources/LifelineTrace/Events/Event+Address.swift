/// Which event at an address was last, where events arrive stream by stream rather than in one order of all threads.
///
/// Allocations and ends alternate at an address. Within one stream the order of events decides which was last; between
/// several the clocks do: allocations and final releases carry times, and an address is reused only after its end was
/// written.
extension Event {
  /// Whether this allocation came after an event at its address that was read before it.
  @inline(__always)
  public func isBirth(after clock: UInt64, of other: UInt32, in stream: UInt32) -> Bool {
    other == stream || self.clock > clock
  }

  /// Whether this end came after an event at its address that was read before it: a later allocation began another
  /// life.
  @inline(__always)
  public func isEnd(after clock: UInt64, of other: UInt32, in stream: UInt32) -> Bool {
    other == stream || self.clock >= clock
  }

  /// Whether an object ends with this event: its final release, or what follows that if it was not seen.
  @inline(__always)
  public var isEnd: Bool { kind == .free || kind == .deallocate || (count == 0 && strongChange < 0) }
}
