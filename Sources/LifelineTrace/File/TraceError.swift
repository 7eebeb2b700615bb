/// Why a trace cannot be read, as a sentence for the user.
public struct TraceError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String

  public init(_ sentence: String) { description = sentence }
}
