import LifelineReporting
import LifelineScenarios
import LifelineTrace

/// Compares the report of one run with the expectations of its variant.
public struct ExpectationInspector {
  private let variant: Variant
  private let marks: SourceMarks

  public init(_ variant: Variant, marks: SourceMarks) {
    self.variant = variant
    self.marks = marks
  }

  /// The unmet expectations, one sentence each; empty if all are met.
  public func failures(_ report: Report) -> [String] {
    var failures: [String] = []
    if let problem = ending(report.program) { failures.append(problem) }
    if report.verdict == "none" { failures.append("There is no verdict. \(report.noVerdictReason ?? "")") }
    var expected: Set<Int> = []
    for expectation in variant.expectations {
      switch expectation {
      case .finding(let pattern):
        let candidates = report.findings.indices.filter { pattern.concerns(report.findings[$0]) }
        let matches = candidates.filter { mismatches(pattern, report.findings[$0]).isEmpty }
        guard matches.isEmpty else {
          // One use of a dead object can be several accesses, so expecting one of them expects them all.
          expected.formUnion(candidates)
          continue
        }
        let reasons = candidates.first.map { mismatches(pattern, report.findings[$0]) } ?? []
        failures.append(
          "\(pattern.text) was not found\(reasons.isEmpty ? "." : ": " + reasons.joined(separator: "; ") + ".")")
      case .absence(let pattern):
        for finding in report.findings where pattern.concerns(finding) {
          failures.append("\(finding.kind) \(finding.object.id) must not be found: \(finding.title).")
        }
      case .liveAtExit(let name, let count):
        if let problem = live(name, count, report) { failures.append(problem) }
        // Expecting objects to outlive the program includes expecting a finding if they are unreachable.
        if count > 0 {
          expected.formUnion(report.findings.indices.filter { Self.isLeak(report.findings[$0], of: name) })
        }
      }
    }
    for (index, finding) in report.findings.enumerated() where finding.severity != "note" && !expected.contains(index) {
      failures.append("\(finding.kind) \(finding.object.id) is not expected: \(finding.title).")
    }
    return failures
  }

  /// Whether a finding reports objects of a class, by short name, as leaked.
  private static func isLeak(_ finding: Report.Finding, of className: String) -> Bool {
    guard finding.kind == "leak" else { return false }
    return ([finding.object.class] + finding.path.map(\.class)).contains {
      $0 == className || $0.hasSuffix(".\(className)")
    }
  }

  private func ending(_ program: Report.Program) -> String? {
    switch variant.ending {
    case .exit(let status) where program.exitStatus == status: nil
    case .signal(let number) where program.signal == number: nil
    default: "The process \(Self.text(program)) instead of \(Self.text(variant.ending))."
    }
  }

  private static func text(_ program: Report.Program) -> String {
    program.signal.map { "was ended by \(SignalName.of($0))" } ?? program.exitStatus.map { "exited with status \($0)" }
      ?? "ended in an unknown way"
  }

  private static func text(_ ending: Variant.Ending) -> String {
    switch ending {
    case .exit(let status): "exiting with status \(status)"
    case .signal(let number): "ending by \(SignalName.of(number))"
    }
  }

  private func live(_ name: String, _ count: Int, _ report: Report) -> String? {
    // Without this a misspelled class would be "gone".
    guard let live = report.liveAtExit(ofClass: name) else { return "No \(name) was allocated." }
    return live == count ? nil : "\(live) of \(name) are live at exit instead of \(count)."
  }

  /// The parts of a pattern that a finding does not match.
  private func mismatches(_ pattern: FindingPattern, _ finding: Report.Finding) -> [String] {
    var result: [String] = []
    let sentences = ([finding.title] + finding.explanation).joined(separator: "\n")
    if let severity = pattern.severity, severity != finding.severity {
      result.append("its severity is \(finding.severity)")
    }
    if let access = pattern.access, access != finding.access {
      result.append("the access is \(finding.access ?? "none")")
    }
    if let message = pattern.message, !sentences.contains(message) { result.append("'\(message)' is not mentioned") }
    if let holder = pattern.holder, !sentences.contains(holder),
      !finding.holds.contains(where: { $0.holder.contains(holder) })
    {
      result.append("'\(holder)' is not a holder")
    }
    for (role, mark) in pattern.lines.sorted(by: { $0.key < $1.key }) {
      if let problem = place(role, mark, finding) { result.append(problem) }
    }
    return result
  }

  private func place(_ role: String, _ mark: String, _ finding: Report.Finding) -> String? {
    guard let line = marks[mark] else { return "the mark '\(mark)' is not on exactly one source line" }
    guard let backtrace = finding.backtraces.first(where: { $0.role == role }) else {
      return "there is no backtrace '\(role)'"
    }
    let frame = backtrace.frames.first { $0.file == line.file && $0.line ?? 0 > 0 }
    guard let number = frame?.line else { return "\(role) does not pass through the file of the mark '\(mark)'" }
    return number == line.number ? nil : "\(role) is at line \(number) instead of \(line.number), '\(mark)'"
  }
}

extension FindingPattern {
  /// "use-after-free DetailViewController#1".
  public var text: String { object.map { "\(kind) \($0)" } ?? kind }

  /// Whether a finding is of the kind and about the object; "Screen#1" also means the first `Checkout.Screen`.
  func concerns(_ finding: Report.Finding) -> Bool {
    guard finding.kind == kind else { return false }
    return object.map { finding.object.id == $0 || finding.object.id.hasSuffix(".\($0)") } ?? true
  }
}
