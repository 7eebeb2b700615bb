/// Renders a report as JUnit XML, in the dialect read by Jenkins, GitLab and GitHub's reporters.
///
/// One test case for the verdict, one for each finding, one for each contract. What fails the gate is a failure; what
/// is suppressed, known or of a kind that does not fail is skipped with the reason; no verdict is an error, and so is a
/// program that failed by itself.
public struct JUnitFormat {
  private let root: SourceRoot

  public init(root: SourceRoot = SourceRoot()) { self.root = root }

  private struct Case {
    enum Result { case passed, failed, erroneous, skipped }
    var attributes: [(String, String)]
    var result: Result
    var type: String
    var message: String
    var body: String
  }

  public func render(_ report: Report) -> String {
    let cases = [verdict(report)] + findings(report) + (report.gate?.contracts ?? []).map(contract)
    func count(_ result: Case.Result) -> String { String(cases.filter { $0.result == result }.count) }
    let counts = [
      ("tests", String(cases.count)), ("failures", count(.failed)), ("errors", count(.erroneous)),
      ("skipped", count(.skipped)), ("time", Self.seconds(report.recording.duration)),
    ]
    let program = ProgramName(report.program.path).text
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites\(Self.list([("name", "lifeline")] + counts))>",
    ]
    lines.append("  <testsuite\(Self.list([("name", "lifeline \(program)")] + counts))>")
    for test in cases { lines += self.lines(test) }
    let remarks =
      report.recording.remarks
      + (report.gate?.unusedSuppressions ?? []).map { "The suppression \($0) matched nothing." }
    if !remarks.isEmpty {
      lines.append("    <system-out>\(Self.element(remarks.joined(separator: "\n")))</system-out>")
    }
    lines += ["  </testsuite>", "</testsuites>"]
    return lines.joined(separator: "\n") + "\n"
  }

  private func lines(_ test: Case) -> [String] {
    let head = "    <testcase\(Self.list(test.attributes))"
    let details = Self.list([("message", test.message)] + (test.type.isEmpty ? [] : [("type", test.type)]))
    let tag: String
    switch test.result {
    case .passed: return [head + "/>"]
    case .skipped: return [head + ">", "      <skipped\(Self.list([("message", test.message)]))/>", "    </testcase>"]
    case .failed: tag = "failure"
    case .erroneous: tag = "error"
    }
    return [head + ">", "      <\(tag)\(details)>\(Self.element(test.body))</\(tag)>", "    </testcase>"]
  }

  private func verdict(_ report: Report) -> Case {
    let attributes = [("classname", "lifeline"), ("name", "verdict"), ("time", "0")]
    switch report.verdict {
    case "clean":
      guard let end = report.failedEnd else {
        return Case(attributes: attributes, result: .passed, type: "", message: "", body: "")
      }
      let text = "Nothing was found, but \(end)."
      return Case(attributes: attributes, result: .erroneous, type: "program", message: text, body: text)
    case "findings":
      guard let text = report.failures else {
        return Case(attributes: attributes, result: .passed, type: "", message: "", body: "")
      }
      return Case(attributes: attributes, result: .failed, type: "findings", message: text, body: text)
    default:
      let reason = report.noVerdictReason ?? "The tool could not see enough."
      return Case(
        attributes: attributes, result: .erroneous, type: "no-verdict", message: "No verdict: \(reason)", body: reason)
    }
  }

  /// A finding that several processes have is a case for each, which needs a name of its own.
  private func findings(_ report: Report) -> [Case] {
    var counts: [String: Int] = [:]
    return report.findings.map { finding in
      let name = "\(finding.kind): \(finding.object.id) (\(finding.fingerprint))"
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return self.finding(finding, named: name + (count > 1 ? ", \(count)" : ""), report)
    }
  }

  private func finding(_ finding: Report.Finding, named name: String, _ report: Report) -> Case {
    // The name does not include the title, because that contains times, and a name must be the same in every run.
    var attributes = [
      ("classname", finding.object.class.isEmpty ? "lifeline" : finding.object.class),
      ("name", name), ("time", "0"),
    ]
    if let frame = finding.primaryFrame, let file = frame.file {
      attributes.append(("file", root.relative(file) ?? file))
      if let line = frame.line { attributes.append(("line", String(line))) }
    }
    if finding.isFailing {
      return Case(
        attributes: attributes, result: .failed, type: finding.kind, message: finding.title,
        body: body(finding, report))
    }
    let reason = finding.outcome?.reason ?? "a \(finding.severity) does not fail"
    return Case(
      attributes: attributes, result: .skipped, type: "",
      message: "\(finding.outcome?.state ?? finding.severity): \(finding.title) (\(reason))", body: "")
  }

  private func body(_ finding: Report.Finding, _ report: Report) -> String {
    var lines = finding.explanation + report.whereabouts(finding)
    if let suggestion = finding.suggestion { lines.append("To change: \(suggestion)") }
    for backtrace in finding.backtraces {
      lines += ["", "\(backtrace.role), event \(backtrace.event), \(backtrace.place)"]
      lines += BacktraceText(TextStyle(isColored: false)).lines(backtrace, limit: 12).map { "  \($0)" }
    }
    return lines.map { $0.shown }.joined(separator: "\n")
  }

  private func contract(_ contract: Report.Contract) -> Case {
    let result: Case.Result =
      switch contract.result {
      case "kept": .passed
      case "broken": .failed
      default: .erroneous
      }
    return Case(
      attributes: [("classname", "lifeline.contract"), ("name", contract.text), ("time", "0")], result: result,
      type: "contract", message: contract.sentence, body: contract.sentence)
  }

  private static func list(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0.0)=\"\(escaped($0.1.shown))\"" }.joined()
  }

  /// Text for an element: unsafe characters in each line are replaced, line ends are kept.
  private static func element(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { escaped(String($0).shown) }.joined(
      separator: "\n")
  }

  /// The five characters that XML 1.0 reserves, and the two that `safe` passes but section 2.2 does not allow.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&apos;"
      case "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// "1.042": three decimals, whatever the locale.
  private static func seconds(_ nanoseconds: UInt64) -> String {
    let milliseconds = nanoseconds / 1_000_000
    let rest = String(milliseconds % 1000)
    return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
  }
}
