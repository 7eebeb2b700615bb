/// Why the recorder could not be started, in one sentence.
public struct TimelineError: Error, CustomStringConvertible, Equatable {
  /// A sentence that says what is wrong.
  public let description: String

  /// An error with its sentence.
  public init(_ description: String) { self.description = description }
}
