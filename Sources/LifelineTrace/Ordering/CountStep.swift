/// What one event proves about its object's strong count: the count before it, if known, and the count after it.
///
/// The recorder itself changes the count, with one atomic instruction, for retains and releases of any number, so both
/// counts of such an event are facts. For a weak or unowned load the runtime does it and the count is read a moment
/// later, which proves nothing. A use after free shows that the object was deallocated before.
public struct CountStep: Sendable, Equatable {
  /// Represents an unknown count.
  public static let unknown = Int32.min
  /// Represents the count of memory without an object.
  public static let freed = Int32.min + 1
  /// Represents the count of an object that was deallocated, but whose memory may not be free yet.
  public static let dead = Int32.min + 2
  private static let smallest = Int32.min + 3

  /// The count that the event found, `freed`, `dead` for either of the two, or `unknown` if any count is possible.
  public let before: Int32
  /// The count that it left, `freed`, `dead`, or `unknown` if it is the one before plus `change`.
  public let after: Int32
  /// References added, if the counts are unknown.
  public let change: Int32

  public init(before: Int32, after: Int32, change: Int32 = 0) {
    self.before = before
    self.after = after
    self.change = change
  }

  // Without a copy of the event.
  @inline(__always)
  public init(_ event: Event) {
    switch event.kind {
    case .allocate: self.init(before: Self.freed, after: 1)
    case .base: self.init(before: Self.unknown, after: event.count >= 0 ? Self.clamped(event.count) : Self.unknown)
    case .free: self.init(before: Self.unknown, after: Self.freed)
    case .deallocate: self.init(before: Self.unknown, after: Self.dead)
    case .useAfterFree: self.init(before: Self.dead, after: Self.unknown)
    case .retain, .release, .retainN, .releaseN:
      let isKnown = event.count >= 0
      self.init(
        before: isKnown ? Self.clamped(event.count &- event.strongChange) : Self.unknown,
        after: isKnown ? Self.clamped(event.count) : Self.unknown, change: Self.clamped(event.strongChange))
    default: self.init(before: Self.unknown, after: Self.unknown, change: Self.clamped(event.strongChange))
    }
  }

  private static func clamped(_ count: Int64) -> Int32 { max(smallest, Int32(clamping: count)) }

  /// Whether both counts are facts.
  public var isExact: Bool { before != Self.unknown && after != Self.unknown }

  /// Whether the event can have found this count.
  @inline(__always)
  public func follows(_ count: Int32) -> Bool {
    before == Self.unknown || count == Self.unknown || before == count || before == Self.dead && count == Self.freed
  }

  /// The count after the event if it found this one.
  @inline(__always)
  public func result(_ count: Int32) -> Int32 {
    if after != Self.unknown { return after }
    return count < Self.smallest ? count : max(Self.smallest, count &+ change)
  }
}
