/// Renders a report as Markdown for a comment on a pull request or a job's summary.
///
/// Every string of the program is shown as text: without markup, mentions or links of its own. At most 20 findings are
/// shown in full, because GitHub rejects comments above 65,536 characters; the others are listed.
public struct MarkdownFormat {
  private let root: SourceRoot
  private static let fullLimit = 20
  private static let listLimit = 100

  public init(root: SourceRoot = SourceRoot()) { self.root = root }

  public func render(_ report: Report) -> String {
    var blocks = [heading(report)]
    let shown = report.findings.filter { !$0.isSuppressed && !$0.isKnown }
    for finding in shown.prefix(Self.fullLimit) { blocks += self.finding(finding, report) }
    let others = shown.dropFirst(Self.fullLimit)
    if !others.isEmpty { blocks.append(list("More findings", others.map(line))) }
    let known = report.findings.filter(\.isKnown)
    if !known.isEmpty { blocks.append(list("Known from the baseline", known.map(line))) }
    let suppressed = report.findings.filter(\.isSuppressed)
    if !suppressed.isEmpty {
      blocks.append(
        list("Suppressed", suppressed.map { "\(line($0)): \(MarkdownText.sentence($0.outcome?.reason ?? ""))" }))
    }
    if let gate = report.gate { blocks += self.gate(gate) }
    if let tests = report.tests { blocks.append(self.tests(tests)) }
    if !report.recording.remarks.isEmpty {
      blocks.append(list("What was not seen", report.recording.remarks.map(MarkdownText.sentence)))
    }
    return blocks.joined(separator: "\n\n") + "\n"
  }

  private func heading(_ report: Report) -> String {
    let program = MarkdownText.code(
      ProgramName(report.program.path).text)
    let remarks = report.cleanRemarks.isEmpty ? "" : " (\(report.cleanRemarks))"
    let verdict =
      switch report.verdict {
      case "none": "❔ No verdict: \(MarkdownText.sentence(report.noVerdictReason ?? "the tool could not see enough."))"
      case "findings": "❌ \(report.failures ?? "Findings")"
      default: report.failedEnd.map { "⚠️ Nothing was found\(remarks), but \($0)" } ?? "✅ Clean\(remarks)"
      }
    guard report.program.isRecorded else { return "## Lifeline: \(verdict)\n\n\(program)" }
    let events = report.recording.events.values.reduce(0, &+)
    return "## Lifeline: \(verdict)\n\n"
      + "\(program): \(Quantity.count(events, "event")) on \(Quantity.count(report.recording.threads, "thread")), "
      + "\(Quantity.number(report.recording.lostEvents)) lost."
      + (report.steps ?? []).map { "\n\n\(MarkdownText.sentence($0.sentence))" }.joined()
  }

  private func finding(_ finding: Report.Finding, _ report: Report) -> [String] {
    let sign = finding.isFailing ? "❌" : "⚠️"
    let new = report.gate?.hasBaseline == true ? " (new)" : ""
    var blocks = ["### \(sign) \(MarkdownText.code(finding.kind))\(new): \(MarkdownText.sentence(finding.title))"]
    if let frame = finding.primaryFrame, let file = frame.file {
      let line = frame.line.map { ":\($0)" } ?? ""
      let place = MarkdownText.code((root.relative(file) ?? file) + line)
      blocks.append("\(frame.isNear == true ? "near " : "")\(place) in \(MarkdownText.code(frame.function))")
    }
    blocks.append(
      (finding.explanation + report.whereabouts(finding)).map(MarkdownText.sentence).joined(separator: "\n"))
    if let suggestion = finding.suggestion { blocks.append("**To change:** \(MarkdownText.sentence(suggestion))") }
    let chain = FindingSteps(finding, timelines: report.timelines)
    if !chain.steps.isEmpty {
      var steps = chain.steps.map { step in
        "\(step.number). \(MarkdownText.sentence(step.text))\(MarkdownText.sentence(step.moment))"
      }
      if chain.omitted > 0 { steps.append("\n\(Quantity.count(chain.omitted, "event")) in between are left out.") }
      blocks.append(
        details(finding.path.isEmpty ? chain.subject : MarkdownText.html(chain.subject), steps.joined(separator: "\n")))
    }
    for backtrace in finding.backtraces { blocks.append(self.backtrace(backtrace)) }
    blocks.append("Fingerprint \(MarkdownText.code(finding.fingerprint))")
    return blocks.filter { !$0.isEmpty }
  }

  private func backtrace(_ backtrace: Report.Backtrace) -> String {
    let lines = BacktraceText(TextStyle(isColored: false)).lines(backtrace, limit: 12)
    return details(
      MarkdownText.html("\(backtrace.role), event \(backtrace.event), \(backtrace.place)"),
      lines.map { "- \(MarkdownText.code($0))" }.joined(separator: "\n"))
  }

  private func gate(_ gate: Report.Gate) -> [String] {
    var blocks: [String] = []
    if !gate.contracts.isEmpty {
      let lines = gate.contracts.map { contract in
        let sign = contract.result == "kept" ? "✅" : contract.result == "broken" ? "❌" : "❔"
        return "\(sign) \(MarkdownText.code(contract.text)): \(MarkdownText.sentence(contract.sentence))"
      }
      blocks.append(list("Contracts", lines))
    }
    if !gate.fixed.isEmpty { blocks.append(list("Fixed since the baseline", gate.fixed.map(MarkdownText.code))) }
    if !gate.unusedSuppressions.isEmpty {
      blocks.append(list("Suppressions that matched nothing", gate.unusedSuppressions.map(MarkdownText.code)))
    }
    return blocks
  }

  /// The table of `--per-test`.
  private func tests(_ tests: [Report.Test]) -> String {
    guard !tests.isEmpty else { return "**Tests**\n\nNo test allocated an object." }
    let isCounted = tests.allSatisfy { $0.retains != nil }
    let names =
      ["test", "objects", "bytes", "peak bytes", "live at exit"] + (isCounted ? ["retains"] : []) + ["findings"]
    var lines = [names, names.indices.map { $0 == 0 ? "---" : "---:" }].map { "| \($0.joined(separator: " | ")) |" }
    for test in tests.prefix(Self.listLimit) {
      let numbers =
        [test.objects, test.bytes, test.peakBytes, test.liveAtExit] + (isCounted ? [test.retains ?? 0] : [])
        + [test.findings]
      // A bar would end the cell, even in code.
      let name = MarkdownText.code(test.name).replacing("|", with: "\\|")
      lines.append("| \(([name] + numbers.map(Quantity.number)).joined(separator: " | ")) |")
    }
    let rest = tests.count - Self.listLimit
    if rest > 0 { lines.append("\nand \(Quantity.count(rest, "test")) more") }
    return details("Tests", lines.joined(separator: "\n"))
  }

  private func line(_ finding: Report.Finding) -> String {
    "\(MarkdownText.code(finding.kind)) \(MarkdownText.sentence(finding.title))"
  }

  private func list(_ title: String, _ lines: [String]) -> String {
    var items = lines.prefix(Self.listLimit).map { "- \($0)" }
    if lines.count > Self.listLimit { items.append("- and \(Quantity.number(lines.count - Self.listLimit)) more") }
    return "**\(title)**\n\n" + items.joined(separator: "\n")
  }

  private func details(_ summary: String, _ body: String) -> String {
    "<details><summary>\(summary)</summary>\n\n\(body)\n\n</details>"
  }
}
