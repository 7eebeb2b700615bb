/// What came last at an address, where events come stream by stream and not in one order of all threads.
///
/// Births and ends take turns at an address. Of one stream the order of its events tells which came last; of several
/// the clocks do: births and final releases carry times, and an address is given out again only after its end was
/// written.
extension Event {
  /// Whether this birth came after an event at its address that was read before it.
  @inline(__always)
  public func isBirth(after clock: UInt64, of other: UInt32, in stream: UInt32) -> Bool {
    other == stream || self.clock > clock
  }

  /// Whether this end came after an event at its address that was read before it: a birth that is later began another
  /// life.
  @inline(__always)
  public func isEnd(after clock: UInt64, of other: UInt32, in stream: UInt32) -> Bool {
    other == stream || self.clock >= clock
  }
}
