/// Keeps the backtraces of some events while they are decoded.
///
/// Its properties skip the run-time exclusivity check, because every event passes through them.
final class BacktraceKeeper {
  @exclusivity(unchecked) var table = BacktraceTable()
  private let objects: BloomFilter?
  private let classes: BloomFilter?
  /// Of `objects`: retaining them would take longer than the query.
  private let bits: BloomFilter.Bits?
  /// Whether backtraces are compared while more are kept.
  var isForHistories: Bool { objects != nil }

  /// Keeps those of the events of some objects and of the allocations of some classes, by their numbers, and of some
  /// others; without objects those with `Event.keepsBacktrace`.
  init(of objects: BloomFilter? = nil, allocationsOf classes: BloomFilter? = nil) {
    self.objects = objects
    self.classes = classes
    bits = objects?.bits
  }

  @inline(__always)
  func keeps(_ event: Event) -> Bool {
    guard let bits else { return event.keepsBacktrace }
    return bits.contains(event.object) || event.kind == .allocate && isOfClass(event)
  }

  private func isOfClass(_ event: Event) -> Bool { classes?.bits.contains(event.argument0 & 0xFFFF_FFFF) ?? false }

  /// The backtrace of the event that a decoder returned last, if it is kept.
  @inline(__always)
  func backtrace(of event: Event, _ decoder: StreamDecoder) -> BacktraceID {
    keeps(event) ? decoder.intern(into: &table) : .empty
  }
}
