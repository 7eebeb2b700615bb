import Foundation
import LifelineAnalysis
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite struct SARIFFormatTests {
  private let sarif = Bundle.module.url(forResource: "Schemas/sarif-2.1.0-part", withExtension: "json")!

  private func document(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func run(_ text: String) throws -> [String: Any] {
    try #require((document(text)["runs"] as? [[String: Any]])?.first)
  }

  @Test("Schema validation detects invalid values and fields")
  func reader() throws {
    let schema = try JSONSchema(sarif)
    let good = try SARIFFormat().render(SampleReport.report([SampleReport.finding()]))
    try #expect(schema.problems(good) == [])
    for (from, to) in [
      ("\"version\" : \"2.1.0\"", "\"version\" : \"2.0.0\""), ("\"level\" : \"error\"", "\"level\" : \"fatal\""),
      ("\"startLine\" : 34", "\"startLine\" : 0"), ("\"startLine\" : 34", "\"startLine\" : true"),
      ("\"ruleId\"", "\"rulId\""),
      ("\"executionSuccessful\" : true", "\"executionSuccessful\" : 1"), ("\"threadFlows\"", "\"flows\""),
    ] {
      let bad = good.replacingOccurrences(of: from, with: to)
      #expect(bad != good)
      try #expect(schema.problems(bad) != [], "\(to)")
    }
  }

  @Test("A finding is a result with its rule, place, fingerprint and steps, and conforms to the schema")
  func finding() throws {
    var report = SampleReport.report([SampleReport.finding()])
    report.timelines = [SampleReport.timeline()]
    let text = try SARIFFormat(root: SourceRoot("/src/app")).render(report)
    try #expect(JSONSchema(sarif).problems(text) == [])
    let run = try run(text)
    let result = try #require((run["results"] as? [[String: Any]])?.first)
    #expect(result["ruleId"] as? String == "use-after-free")
    #expect(result["partialFingerprints"] as? [String: String] == ["lifelineFinding/v1": "00c0ffee00c0ffee"])
    #expect((result["suppressions"] as? [Any])?.isEmpty == true && result["baselineState"] == nil)
    let location = try #require((result["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
    #expect(
      location["artifactLocation"] as? [String: String] == ["uri": "Sources/Detail.swift", "uriBaseId": "%SRCROOT%"])
    #expect(location["region"] as? [String: Int] == ["startLine": 34, "startColumn": 5])
    let related = try #require(result["relatedLocations"] as? [[String: Any]])
    let outside = try #require(
      (related.last?["physicalLocation"] as? [String: Any])?["artifactLocation"] as? [String: String])
    #expect(outside == ["uri": "file:///usr/lib/DetailViewController.swift"])
  }

  @Test("The code flow has the lifetime as numbered steps, with one flow per thread and a common order")
  func codeFlow() throws {
    var report = SampleReport.report([SampleReport.finding()])
    report.timelines = [SampleReport.timeline()]
    let result = try #require((run(SARIFFormat().render(report))["results"] as? [[String: Any]])?.first)
    let flow = try #require((result["codeFlows"] as? [[String: Any]])?.first)
    var steps: [Int: String] = [:]
    let threads = try #require(flow["threadFlows"] as? [[String: Any]])
    for thread in threads {
      let id = try #require(thread["id"] as? String)
      for step in try #require(thread["locations"] as? [[String: Any]]) {
        let location = try #require(step["location"] as? [String: Any])
        let text = try #require((location["message"] as? [String: String])?["text"])
        let physical = location["physicalLocation"] as? [String: Any]
        let line = (physical?["region"] as? [String: Int])?["startLine"].map { " line \($0)" } ?? ""
        steps[try #require(step["executionOrder"] as? Int)] = "\(text) [\(id)]\(line)"
      }
    }
    #expect(threads.count == 2)
    #expect(
      steps == [
        1: "1. DetailViewController#1 is allocated in DetailViewController.init() (event 1) [main thread] line 7",
        2: "2. retain in Master.open(), 2 references (event 4) [main thread] line 14",
        3: "3. its last strong reference is released in DetailViewController.close() (event 6) [worker] line 56",
        4: "4. it is used (message) in Controller.contextChanged(_:) (event 9) [main thread] line 34",
      ])
  }

  @Test("Suppressions, baseline states and a missing verdict are in the log")
  func gate() throws {
    var suppressed = SampleReport.finding()
    suppressed.outcome = Report.Outcome(state: "suppressed", reason: "third-party, issue 12")
    var known = SampleReport.finding()
    known.outcome = Report.Outcome(state: "known", reason: nil)
    var report = SampleReport.report([suppressed, known], verdict: "none", reason: "Events were lost.")
    report.gate = Report.Gate(failOn: ["errors"], contracts: [], fixed: [], unusedSuppressions: [], hasBaseline: true)
    let text = try SARIFFormat().render(report)
    try #expect(JSONSchema(sarif).problems(text) == [])
    let run = try run(text)
    let results = try #require(run["results"] as? [[String: Any]])
    #expect(
      results[0]["suppressions"] as? [[String: String]] == [
        ["kind": "external", "justification": "third-party, issue 12"]
      ])
    #expect(results.map { $0["baselineState"] as? String } == ["new", "unchanged"])
    let invocation = try #require((run["invocations"] as? [[String: Any]])?.first)
    #expect(invocation["executionSuccessful"] as? Bool == false)
    let notes = try #require(invocation["toolExecutionNotifications"] as? [[String: Any]])
    #expect((notes.first?["message"] as? [String: String])?["text"] == "No verdict: Events were lost.")
  }

  @Test("Hostile strings everywhere still produce a valid log of plain text, with the same bytes every time")
  func hostile() throws {
    let schema = try JSONSchema(sarif)
    for text in [SampleReport.hostile, String(repeating: "é<\u{1B}", count: 60_000), ""] {
      let report = SampleReport.report(everywhere: text)
      let rendered = try SARIFFormat(root: SourceRoot("/src/app")).render(report)
      try #expect(schema.problems(rendered) == [])
      #expect(rendered.utf8.count < 3_000_000)
      #expect(strings(try document(rendered)).allSatisfy(\.commandingScalars.isEmpty))
      try #expect(SARIFFormat(root: SourceRoot("/src/app")).render(report) == rendered)
    }
  }

  private func strings(_ value: Any) -> [String] {
    switch value {
    case let text as String: [text]
    case let array as [Any]: array.flatMap(strings)
    case let object as [String: Any]: object.keys + object.values.flatMap(strings)
    default: []
    }
  }

  @Test("Every kind of finding has a text for its rule")
  func kinds() {
    for kind in Finding.Kind.allCases { #expect(FindingKindText.texts[kind.rawValue] != nil, "\(kind.rawValue)") }
    #expect(FindingKindText("unowned-after-deinit").name == "UnownedAfterDeinit")
  }
}
