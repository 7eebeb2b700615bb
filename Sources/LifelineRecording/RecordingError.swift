/// Why nothing was recorded, as a sentence for the user.
public struct RecordingError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String
  /// The program could not be started at all: exit status 127.
  public let couldNotStart: Bool

  init(_ sentence: String, couldNotStart: Bool = false) {
    description = sentence
    self.couldNotStart = couldNotStart
  }
}
