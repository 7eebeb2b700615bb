/// Which findings fail the gate: `--fail-on`.
public struct FailPolicy: Sendable, Equatable {
  private static let severities = [
    "errors": ["error"], "warnings": ["error", "warning"], "notes": ["error", "warning", "note"],
  ]
  public let choices: [String]

  /// Errors.
  public init() { choices = ["errors"] }

  /// Reads "leak,use-after-free", or one of errors, warnings (and errors) and notes (everything).
  ///
  /// - Throws: `GateError` for an unknown kind.
  public init(_ text: String, kinds: [String]) throws {
    choices = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.filter { $0 != " " } }
    for choice in choices where !kinds.contains(choice) && Self.severities[choice] == nil {
      throw GateError(
        "Unknown finding kind '\(choice)'. --fail-on takes errors, warnings, notes or \(kinds.joined(separator: ", "))."
      )
    }
  }

  public func fails(_ finding: GateFinding) -> Bool {
    choices.contains { $0 == finding.kind || Self.severities[$0]?.contains(finding.severity) == true }
  }
}
