/// What a report must or must not contain.
public enum ScenarioExpectation: Codable, Sendable, Equatable {
  case finding(pattern: FindingPattern)
  case absence(pattern: FindingPattern)
  case liveAtExit(class: String, count: Int)

  /// A finding, in terms of the report.
  ///
  /// - Parameters:
  ///   - object: The object's id, "DetailViewController#1".
  ///   - message: Part of the finding's sentences, such as the method that was called.
  ///   - holder: Part of a holder's name, or of the finding's sentences.
  ///   - lines: The mark of a source line by role of a backtrace: `["access": "message"]` means the line that ends in
  /// `// <- message`.
  public static func found(
    _ kind: String, _ object: String, severity: String? = nil, access: String? = nil, message: String? = nil,
    holder: String? = nil, lines: [String: String] = [:]
  ) -> ScenarioExpectation {
    .finding(
      pattern: FindingPattern(
        kind: kind, object: object, severity: severity, access: access, message: message, holder: holder, lines: lines))
  }

  /// No finding of this kind about this object, or about any.
  public static func absent(_ kind: String, _ object: String? = nil) -> ScenarioExpectation {
    .absence(pattern: FindingPattern(kind: kind, object: object))
  }

  /// This many objects of a class, by short name, are live when the process ends.
  public static func live(_ className: String, count: Int) -> ScenarioExpectation {
    .liveAtExit(class: className, count: count)
  }
}
