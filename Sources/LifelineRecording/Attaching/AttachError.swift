/// Why a recording could not be started or ended in a running process, as a sentence for the user.
public struct AttachError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String
  /// Whether the process is not a Swift program.
  public let isNotSwift: Bool

  init(_ sentence: String, isNotSwift: Bool = false) {
    description = sentence
    self.isNotSwift = isNotSwift
  }
}
