import Foundation

/// The results as a document, `lifeline.run/1`.
public struct ResultDocument: Codable, Sendable {
  public struct Play: Codable, Sendable {
    public let scenario: String
    public let variant: String
    public let expected: [String]
    public let found: [String]
    public let failures: [String]
  }

  public let schema: String
  public let plays: [Play]

  public init(_ results: [ScenarioResult]) {
    schema = "lifeline.run/1"
    plays = results.map {
      Play(
        scenario: $0.scenario, variant: $0.variant.name, expected: $0.expected, found: $0.found, failures: $0.failures)
    }
  }

  /// JSON with sorted keys, so that the same results give the same bytes.
  public func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}
