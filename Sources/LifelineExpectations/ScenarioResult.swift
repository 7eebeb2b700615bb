import LifelineReporting
import LifelineScenarios

/// What became of one play.
public struct ScenarioResult: Sendable {
  public let scenario: String
  public let variant: Variant
  /// Nil when nothing could be recorded.
  public let report: Report?
  /// What the program itself printed.
  public let output: String
  /// What is not as expected, a sentence each.
  public let failures: [String]

  public init(scenario: String, variant: Variant, report: Report?, output: String, failures: [String]) {
    self.scenario = scenario
    self.variant = variant
    self.report = report
    self.output = output
    self.failures = failures
  }

  /// The expected findings, live objects and ending, "nothing" when none is out of the ordinary.
  public var expected: [String] {
    var texts = variant.expectations.compactMap { expectation -> String? in
      switch expectation {
      case .finding(let pattern): pattern.text
      case .absence: nil
      case .liveAtExit(let name, let count): count > 0 ? "\(count) live \(name)" : nil
      }
    }
    switch variant.ending {
    case .exit(0): break
    case .exit(let status): texts.append("status \(status)")
    case .signal(let number): texts.append("signal \(number)")
    }
    return texts.isEmpty ? ["nothing"] : texts
  }

  /// The findings, of the live objects those that are spoken of, and the ending.
  public var found: [String] {
    guard let report else { return ["no report"] }
    let patterns = variant.expectations.compactMap { if case .finding(let pattern) = $0 { pattern } else { nil } }
    var texts: [String] = []
    for finding in report.findings
    where finding.severity != "note" || patterns.contains(where: { $0.concerns(finding) }) {
      let text = "\(finding.kind) \(patterns.first { $0.concerns(finding) }?.object ?? finding.object.id)"
      if !texts.contains(text) { texts.append(text) }
    }
    for case .liveAtExit(let name, _) in variant.expectations {
      let count = report.liveAtExit(ofClass: name) ?? 0
      if count > 0 { texts.append("\(count) live \(name)") }
    }
    if let number = report.program.signal { texts.append("signal \(number)") }
    if let status = report.program.exitStatus, status != 0 { texts.append("status \(status)") }
    return texts.isEmpty ? ["nothing"] : texts
  }
}

extension Report {
  /// How many objects of a class, by its own name, are live at exit; nil when none was ever allocated.
  func liveAtExit(ofClass name: String) -> Int? {
    let classes = classes.filter { $0.name == name || $0.name.hasSuffix(".\(name)") }
    return classes.isEmpty ? nil : classes.reduce(0) { $0 + $1.liveAtExit }
  }
}
