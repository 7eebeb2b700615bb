/// An error that says in one sentence why the recorder could not be started.
public struct TimelineError: Error, CustomStringConvertible, Equatable {
  /// The sentence.
  public let description: String

  /// Creates an error with a sentence.
  public init(_ description: String) { self.description = description }
}
