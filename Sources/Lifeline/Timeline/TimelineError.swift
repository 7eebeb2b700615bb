/// Why the recorder could not be started, in one sentence.
public struct TimelineError: Error, CustomStringConvertible, Equatable {
  public let description: String

  public init(_ description: String) { self.description = description }
}
