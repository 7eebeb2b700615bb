/// The facts about a finding that the gate needs.
public struct GateFinding: Sendable, Equatable {
  public let kind: String
  public let severity: String
  public let fingerprint: String
  public let className: String
  /// The names that a suppression may match: class, functions, files and images of the backtraces.
  public let names: [String]

  public init(kind: String, severity: String, fingerprint: String, className: String, names: [String]) {
    self.kind = kind
    self.severity = severity
    self.fingerprint = fingerprint
    self.className = className
    self.names = names
  }
}
