/// Renders a report as GitHub Actions workflow commands, which become annotations at the lines of a pull request.
///
/// An error for each failing finding and contract, a warning for each passing one, a notice for those in the baseline;
/// nothing for suppressed ones. The last line is the verdict.
public struct GitHubFormat {
  private let root: SourceRoot

  public init(root: SourceRoot = SourceRoot()) { self.root = root }

  public func render(_ report: Report) -> String {
    var lines = report.findings.filter { !$0.isSuppressed }.map { finding($0, report) }
    for contract in report.gate?.contracts ?? [] where contract.result != "kept" {
      lines.append(
        command("error", [("title", "Contract \(contract.result)")], ["\(contract.text): \(contract.sentence)"]))
    }
    for pattern in report.gate?.unusedSuppressions ?? [] {
      lines.append(
        command("warning", [("title", "Unused suppression")], ["The suppression \(pattern) matched nothing."]))
    }
    lines.append(verdict(report))
    return lines.joined(separator: "\n") + "\n"
  }

  private func verdict(_ report: Report) -> String {
    let title = [("title", "Lifeline")]
    if report.verdict == "none" {
      return command("error", title, ["No verdict: \(report.noVerdictReason ?? "The tool could not see enough.")"])
    }
    if let failures = report.failures, failures == report.exploration?.problem {
      return command("error", title, ["Verdict: \(failures)."])
    }
    if let failures = report.failures { return command("error", title, ["\(failures) failed the check."]) }
    let remarks = report.cleanRemarks.isEmpty ? "" : " (\(report.cleanRemarks))"
    if let end = report.failedEnd { return command("warning", title, ["Nothing was found\(remarks), but \(end)."]) }
    return command("notice", title, ["The check is green\(remarks)."])
  }

  private func finding(_ finding: Report.Finding, _ report: Report) -> String {
    let level =
      finding.isKnown ? "notice" : finding.isFailing ? "error" : finding.severity == "note" ? "notice" : "warning"
    var properties: [(String, String)] = []
    if let frame = finding.primaryFrame, let file = frame.file {
      properties.append(("file", root.relative(file) ?? file))
      if let line = frame.line, line > 0 { properties.append(("line", String(line))) }
      if let column = frame.column, column > 0 { properties.append(("col", String(column))) }
    }
    let state = finding.isKnown ? " (known)" : ""
    properties.append(("title", "\(finding.kind)\(state): \(finding.object.id)"))
    let suggestion = finding.suggestion.map { ["To change: \($0)"] } ?? []
    return command(
      level, properties, ["\(finding.title)."] + finding.explanation + report.whereabouts(finding) + suggestion)
  }

  private func command(_ name: String, _ properties: [(String, String)], _ sentences: [String]) -> String {
    let list = properties.map { "\($0.0)=\(Self.property($0.1.shown(atMost: 500)))" }.joined(separator: ",")
    let message = sentences.map { Self.data($0.shown(atMost: 1000)) }.joined(separator: "%0A")
    return "::\(name)\(list.isEmpty ? "" : " \(list)")::\(message)"
  }

  /// The runner decodes %25, %0D and %0A in messages (actions/toolkit, "command.ts"); control characters are replaced
  /// by U+FFFD first.
  private static func data(_ text: String) -> String { replaced(text, ["%": "%25", "\r": "%0D", "\n": "%0A"]) }

  /// … and in properties %3A and %2C too, since a colon or comma would end them.
  private static func property(_ text: String) -> String {
    replaced(text, ["%": "%25", "\r": "%0D", "\n": "%0A", ":": "%3A", ",": "%2C"])
  }

  private static func replaced(_ text: String, _ table: [Unicode.Scalar: String]) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let other = table[scalar] { result += other } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }
}
