import LifelineReporting
import LifelineScenarios

/// The result of one run.
public struct ScenarioResult: Sendable {
  public let scenario: String
  public let variant: Variant
  /// Nil if nothing could be recorded.
  public let report: Report?
  /// The program's own output.
  public let output: String
  /// The unmet expectations, one sentence each.
  public let failures: [String]

  public init(scenario: String, variant: Variant, report: Report?, output: String, failures: [String]) {
    self.scenario = scenario
    self.variant = variant
    self.report = report
    self.output = output
    self.failures = failures
  }

  /// The expected findings, live objects and ending, or "nothing" if none is unusual.
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

  /// The findings, the live objects that are expected, and the ending.
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
  /// The number of objects of a class, by short name, that are live at exit; nil if none was ever allocated.
  func liveAtExit(ofClass name: String) -> Int? {
    let classes = classes.filter { $0.name == name || $0.name.hasSuffix(".\(name)") }
    return classes.isEmpty ? nil : classes.reduce(0) { $0 + $1.liveAtExit }
  }
}
