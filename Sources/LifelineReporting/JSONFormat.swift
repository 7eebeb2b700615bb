import Foundation

/// Renders a report as JSON: sorted keys, so that the same report gives the same bytes.
public struct JSONFormat {
  public init() {}

  public func render(_ report: Report) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(report), as: UTF8.self) + "\n"
  }
}
