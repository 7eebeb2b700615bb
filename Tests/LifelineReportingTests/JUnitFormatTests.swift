import Foundation
import FoundationXML
import Testing

@testable import LifelineReporting

@Suite struct JUnitFormatTests {
  private func cases(_ report: Report) throws -> [XMLElement] {
    let root = try #require(
      try XMLDocument(xmlString: JUnitFormat(root: SourceRoot("/src/app")).render(report)).rootElement())
    #expect(root.name == "testsuites")
    let suite = try #require(root.elements(forName: "testsuite").first)
    let cases = suite.elements(forName: "testcase")
    // Readers show these counts before they look at the cases.
    for (attribute, child) in [("failures", "failure"), ("errors", "error"), ("skipped", "skipped")] {
      let count = cases.filter { !$0.elements(forName: child).isEmpty }.count
      #expect(suite.attribute(forName: attribute)?.stringValue == String(count))
      #expect(root.attribute(forName: attribute)?.stringValue == String(count))
    }
    #expect(suite.attribute(forName: "tests")?.stringValue == String(cases.count))
    return cases
  }

  private func summary(_ test: XMLElement) -> String {
    let name = test.attribute(forName: "name")?.stringValue ?? ""
    let children = (test.children ?? []).compactMap { $0 as? XMLElement }
    let result = children.map { "\($0.name ?? ""): \($0.attribute(forName: "message")?.stringValue ?? "")" }.joined()
    return "\(test.attribute(forName: "classname")?.stringValue ?? "") / \(name)\(result.isEmpty ? "" : " / \(result)")"
  }

  @Test("A clean run is one passed case, and no verdict is an error")
  func verdicts() throws {
    try #expect(cases(SampleReport.report([])).map(summary) == ["lifeline / verdict"])
    try #expect(
      cases(SampleReport.report([], verdict: "none", reason: "Nothing was recorded.")).map(summary)
        == ["lifeline / verdict / error: No verdict: Nothing was recorded."])
  }

  @Test("A finding is a failed case with its place and sentences; suppressed and known findings are skipped cases")
  func findings() throws {
    var suppressed = SampleReport.finding("Cache")
    suppressed.outcome = Report.Outcome(state: "suppressed", reason: "issue 12")
    var known = SampleReport.finding("Feed")
    known.outcome = Report.Outcome(state: "known", reason: "in the baseline")
    let cases = try cases(SampleReport.report([SampleReport.finding(), suppressed, known]))
    #expect(
      cases.map(summary) == [
        "lifeline / verdict / failure: 1 finding",
        """
        App.DetailViewController / use-after-free: DetailViewController#1 (00c0ffee00c0ffee) / failure: \
        DetailViewController#1 was messaged 41 µs (3 events) after it was freed
        """,
        """
        App.Cache / use-after-free: Cache#1 (00c0ffee00c0ffee) / skipped: suppressed: \
        Cache#1 was messaged 41 µs (3 events) after it was freed (issue 12)
        """,
        """
        App.Feed / use-after-free: Feed#1 (00c0ffee00c0ffee) / skipped: known: Feed#1 was messaged 41 µs (3 events) \
        after it was freed (in the baseline)
        """,
      ])
    #expect(cases[1].attribute(forName: "file")?.stringValue == "Sources/Detail.swift")
    #expect(cases[1].attribute(forName: "line")?.stringValue == "34")
    let body = try #require(cases[1].elements(forName: "failure").first?.stringValue)
    #expect(
      body.hasPrefix(
        "Controller.contextChanged(_:) sent it DetailViewController.willChange() (event 9, main thread, "
          + "Detail.swift:34).\nIts last"
      ))
    #expect(body.contains("To change: Make the reference to DetailViewController weak."))
    #expect(body.contains("\nfinal-release, event 6, worker\n  DetailViewController.close()  Detail.swift:56"))
  }

  @Test("Each contract is a case: a kept one passes, a broken one fails, an undecided one is an error")
  func contracts() throws {
    var report = SampleReport.report([])
    report.gate = Report.Gate(
      failOn: ["errors"],
      contracts: [
        Report.Contract(text: "App.Node: max-live 2", result: "kept", sentence: "At most 2 were live."),
        Report.Contract(text: "App.Node: max-live 1", result: "broken", sentence: "2 were live at event 9."),
        Report.Contract(text: "Gone: max-live 1", result: "unknown", sentence: "No such class."),
      ], fixed: [], unusedSuppressions: [], hasBaseline: false)
    try #expect(
      cases(report).map(summary) == [
        "lifeline / verdict", "lifeline.contract / App.Node: max-live 2",
        "lifeline.contract / App.Node: max-live 1 / failure: 2 were live at event 9.",
        "lifeline.contract / Gone: max-live 1 / error: No such class.",
      ])
  }

  @Test("Hostile strings everywhere still produce well-formed XML with the intended text")
  func hostile() throws {
    for text in [SampleReport.hostile, String(repeating: "é<\u{1B}]]>", count: 40_000), ""] {
      let report = SampleReport.report(everywhere: text)
      let cases = try cases(report)
      #expect(cases.count == 8)
      let rendered = JUnitFormat().render(report)
      #expect(rendered.commandingScalars.isEmpty && !rendered.contains("<script"))
      #expect(rendered.utf8.count < 1_000_000)
    }
    let hostile = try cases(SampleReport.report(everywhere: "<b a='1'>&amp;\"")).map(summary)
    #expect(hostile[5] == "lifeline.contract / <b a='1'>&amp;\"")
  }
}
