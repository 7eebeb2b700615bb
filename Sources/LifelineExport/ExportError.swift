/// Why an export could not be written, as a sentence for the user.
public struct ExportError: Error, Equatable, CustomStringConvertible, Sendable {
  public let description: String

  public init(_ sentence: String) { description = sentence }
}
