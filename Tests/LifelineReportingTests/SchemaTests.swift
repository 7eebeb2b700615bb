import Foundation
import LifelineAnalysis
import LifelineTestSupport
import Testing

@testable import LifelineReporting

/// The schemas in Documentation/Schemas that other tools rely on.
@Suite struct SchemaTests {
  @Test("A report with a finding, its timeline and a gate conforms to its schema, which lists every field")
  func report() throws {
    let schema = try JSONSchema(published: "report-1")
    var report = SampleReport.report([SampleReport.finding()])
    report.timelines = [SampleReport.timeline()]
    report.findings[0].heldObject = "Controller#1"
    report.findings[0].tests = ["a()", "b()"]
    report.findings[0].outcome = Report.Outcome(state: "known", reason: "issue 12")
    report.gate = Report.Gate(
      failOn: ["errors"],
      contracts: [Report.Contract(text: "Node: max-live 1", result: "kept", sentence: "At most 1.")],
      fixed: [], unusedSuppressions: [], hasBaseline: true)
    report.exploration = SampleReport.exploration
    try #expect(schema.problems(JSONFormat().render(report)) == [])
  }

  @Test("What the contract calls null is null, and a document of before, in which it is missing, can be read")
  func nulls() throws {
    var report = SampleReport.report([SampleReport.finding()])
    report.findings[0].access = nil
    report.findings[0].backtraces[0].frames[0].file = nil
    let document = try JSONFormat().render(report)
    for key in ["noVerdictReason", "access", "file"] {
      #expect(document.contains("\"\(key)\" : null"))
    }
    try #expect(JSONSchema(published: "report-1").problems(document) == [])
    #expect(try JSONDecoder().decode(Report.self, from: Data(document.utf8)) == report)
    let older = document.replacingOccurrences(of: "\"noVerdictReason\" : null,", with: "")
    #expect(older != document)
    #expect(try JSONDecoder().decode(Report.self, from: Data(older.utf8)) == report)
  }

  @Test("The schema rejects a document that is not a report")
  func reader() throws {
    let schema = try JSONSchema(published: "report-1")
    let good = try JSONFormat().render(SampleReport.report([SampleReport.finding()]))
    for (from, to) in [
      ("lifeline.report/1", "lifeline.report/2"), ("\"verdict\" : \"", "\"verdict\" : \"un"),
      ("\"severity\" : \"error\"", "\"severity\" : \"fatal\""), ("\"fingerprint\"", "\"finger\""),
    ] {
      let bad = good.replacingOccurrences(of: from, with: to)
      #expect(bad != good, "\(from)")
      try #expect(schema.problems(bad) != [], "\(to)")
    }
  }

  @Test("The built-in hold rules conform to the schema for rule files")
  func rules() throws {
    try #expect(JSONSchema(published: "hold-rules-1").problems(HoldRules.builtIn) == [])
  }
}
