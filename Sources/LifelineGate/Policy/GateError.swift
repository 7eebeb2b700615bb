/// Why a file of the gate is invalid, as a sentence for the user.
public struct GateError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String

  public init(_ sentence: String) { description = sentence }
}
