import LifelineAnalysis

/// The suppressions of a file, in LeakSanitizer's syntax: a line is `kind:pattern`, followed here by `# reason`.
///
/// Blank lines and lines that begin with `#` are skipped. A pattern matches anywhere in a class, function, file or
/// image name of the finding's backtraces; `*`, `^` and `$` are supported.
public struct SuppressionList: Sendable, Equatable {
  public let suppressions: [Suppression]

  public init() { suppressions = [] }

  /// Several files, in order.
  public init(lists: [SuppressionList]) { suppressions = lists.flatMap(\.suppressions) }

  /// - Throws: `GateError` with file and line.
  public init(_ text: String, file: String, kinds: [String]) throws {
    var found: [Suppression] = []
    for (index, line) in text.trimmedLines.enumerated() {
      if line.isEmpty || line.hasPrefix("#") { continue }
      let place = "\(file):\(index + 1)"
      let halves = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let rule = halves[0].trimmed
      guard let colon = rule.firstIndex(of: ":") else {
        throw GateError("\(place): '\(rule)' is not a suppression; write kind:pattern # reason.")
      }
      let kind = rule[..<colon].trimmed
      let pattern = rule[rule.index(after: colon)...].trimmed
      guard kind == "*" || kinds.contains(kind) else {
        throw GateError(
          "\(place): unknown finding kind '\(kind)'; the kinds are \(kinds.joined(separator: ", ")), or * for all.")
      }
      guard pattern.contains(where: { !"*^$".contains($0) }) else {
        throw GateError(
          "\(place): the pattern '\(pattern)' would suppress everything; name a class, function, file or image.")
      }
      let reason = halves.count > 1 ? halves[1].trimmed : ""
      guard !reason.isEmpty else {
        throw GateError("\(place): the suppression \(rule) gives no reason; write it after '#'.")
      }
      found.append(
        Suppression(kind: kind, pattern: NamePattern(suppression: pattern), reason: reason, text: rule, line: index + 1)
      )
    }
    suppressions = found
  }

  /// The first one that matches.
  public func match(_ finding: GateFinding) -> Suppression? { suppressions.first { $0.matches(finding) } }

  /// Those that match none of the findings, as written.
  public func unused(by findings: [GateFinding]) -> [String] {
    suppressions.filter { suppression in !findings.contains { suppression.matches($0) } }.map(\.text)
  }
}
