/// Selects events of a trace: those of certain classes, within a time span.
public struct EventSelection: Sendable {
  /// Whether a class is selected, by its full name; called once for each class.
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
