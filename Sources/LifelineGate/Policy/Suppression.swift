import LifelineAnalysis

/// One known and accepted finding: `kind:pattern # reason`.
public struct Suppression: Sendable, Equatable {
  /// A kind of finding, or "*".
  public let kind: String
  public let pattern: NamePattern
  public let reason: String
  /// As written in the file, without the reason.
  public let text: String
  public let line: Int

  public func matches(_ finding: GateFinding) -> Bool {
    (kind == "*" || kind == finding.kind) && finding.names.contains { pattern.matches($0) }
  }
}
