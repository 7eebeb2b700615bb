/// Which events of a trace are wanted: those of some classes, within a span of time.
public struct EventSelection: Sendable {
  /// Whether objects of a class are wanted, by its full name; it is asked once for each class.
  public let isWanted: @Sendable (String) -> Bool
  /// Nanoseconds since the start of the recording; nil for all of it.
  public let span: Range<UInt64>?

  public init(span: Range<UInt64>? = nil, isWanted: @escaping @Sendable (String) -> Bool = { _ in true }) {
    self.isWanted = isWanted
    self.span = span
  }

  /// Everything.
  public static var all: Self { Self() }
}
