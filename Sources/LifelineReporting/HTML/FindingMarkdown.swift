/// A finding as Markdown, to paste into an issue or a message.
struct FindingMarkdown {
  let finding: Report.Finding

  var text: String {
    var lines = ["### \(Self.escaped(finding.kind)): \(Self.escaped(finding.title))", ""]
    lines += finding.explanation.prefix(HTMLFormat.Limits.sentences).map { "- \(Self.escaped($0))" }
    if let suggestion = finding.suggestion { lines += ["", "**To change:** \(Self.escaped(suggestion))"] }
    for backtrace in finding.backtraces.prefix(HTMLFormat.Limits.backtraces) {
      let frames = BacktraceText(TextStyle(isColored: false)).lines(backtrace, limit: 12)
        .map { VisibleText($0, limit: Markup.textLimit).plain }
      let fence = Self.fence(around: frames)
      let title = "\(backtrace.role), event \(backtrace.event), \(backtrace.thread)"
      lines += ["", Self.escaped(title), "", fence] + frames + [fence]
    }
    lines += ["", "Found by Lifeline; fingerprint \(Self.escaped(finding.fingerprint))."]
    return lines.joined(separator: "\n") + "\n"
  }

  /// The text with everything that is markup in GitHub's Markdown escaped.
  private static func escaped(_ text: String) -> String {
    VisibleText(text, limit: 1000).plain.reduce(into: "") { result, character in
      if #"\`*_{}[]<>#|~&$"#.contains(character) { result.append("\\") }
      result.append(character)
    }
  }

  /// A fence that no run of backticks inside can close.
  private static func fence(around lines: [String]) -> String {
    let longest = lines.reduce(2) { longest, line in
      var run = 0
      return line.reduce(longest) { result, character in
        run = character == "`" ? run + 1 : 0
        return max(result, run)
      }
    }
    return String(repeating: "`", count: longest + 1)
  }
}
