import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite(.timeLimit(.minutes(60))) struct MarkdownFormatTests {
  @Test("A finding has its verdict, place, sentences, lifetime and backtraces in Markdown")
  func finding() {
    var report = SampleReport.report([SampleReport.finding()])
    report.timelines = [SampleReport.timeline()]
    let text = MarkdownFormat(root: SourceRoot("/src/app")).render(report)
    #expect(
      text.hasPrefix(
        """
        ## Lifeline: ❌ 1 finding

        `App`: 9 events on 2 threads, 0 lost.

        ### ❌ `use-after-free`: DetailViewController\\#&#8203;1 was messaged 41 µs \\(3 events\\) after it was freed

        `Sources/Detail.swift:34` in `Controller.contextChanged(_:)`

        Controller.contextChanged\\(\\_:\\) sent it
        """.trimmingCharacters(in: .newlines)))
    #expect(
      text.contains(
        """
        <details><summary>The object's life</summary>

        1. DetailViewController\\#&#8203;1 is allocated in DetailViewController.init\\(\\) \\(event 1, main thread\\)
        2. retain in Master.open\\(\\), 2 references \\(event 4, main thread\\)
        3. its last strong reference is released in DetailViewController.close\\(\\) \\(event 6, worker\\)
        """))
    #expect(text.contains("<details><summary>final-release, event 6, worker</summary>"))
    #expect(text.contains("- `Controller.contextChanged(_:)  Detail.swift:34`"))
    #expect(text.hasSuffix("Fingerprint `00c0ffee00c0ffee`\n"))
  }

  @Test("The gate's results have lists of their own below the verdict")
  func gate() {
    var known = SampleReport.finding("Feed")
    known.outcome = Report.Outcome(state: "known", reason: nil)
    var suppressed = SampleReport.finding("Cache")
    suppressed.outcome = Report.Outcome(state: "suppressed", reason: "issue 12")
    var report = SampleReport.report([known, suppressed], verdict: "clean")
    report.gate = Report.Gate(
      failOn: ["errors"],
      contracts: [Report.Contract(text: "Node: max-live 1", result: "broken", sentence: "2 were live.")],
      fixed: ["0123 leak App.Old"], unusedSuppressions: ["leak:Gone"], hasBaseline: true)
    #expect(
      MarkdownFormat().render(report) == """
        ## Lifeline: ✅ Clean (1 known, 1 suppressed)

        `App`: 9 events on 2 threads, 0 lost.

        **Known from the baseline**

        - `use-after-free` Feed\\#&#8203;1 was messaged 41 µs \\(3 events\\) after it was freed

        **Suppressed**

        - `use-after-free` Cache\\#&#8203;1 was messaged 41 µs \\(3 events\\) after it was freed: issue 12

        **Contracts**

        - ❌ `Node: max-live 1`: 2 were live.

        **Fixed since the baseline**

        - `0123 leak App.Old`

        **Suppressions that matched nothing**

        - `leak:Gone`

        """)
  }

  @Test("A report with many findings stays below GitHub's limit for comments and says how many it omits")
  func size() {
    let text = MarkdownFormat().render(SampleReport.report((0..<500).map { SampleReport.finding("Class\($0)") }))
    #expect(text.utf16.count < 65_536)
    #expect(text.contains("- and 380 more"))
  }

  @Test(
    "In GitHub's renderer hostile strings are plain text without tags, links, mentions or emphasis",
    .needs(.cmark))
  func hostile() throws {
    for text in [
      SampleReport.hostile, "``` ` x", "`", "# h", "1. x", "-", "a*b*c_d_ ~~e~~ www.evil.example https://evil.example",
      "",
    ] {
      let rendered = MarkdownFormat(root: SourceRoot("/src/app")).render(SampleReport.report(everywhere: text))
      #expect(rendered.commandingScalars.isEmpty)
      let html = try Self.html(rendered)
      let tags = Set(html.matches(of: /<\/?([a-zA-Z0-9]+)/).map { String($0.output.1) })
      #expect(
        tags.isSubset(of: ["h2", "h3", "p", "code", "strong", "ul", "ol", "li", "details", "summary"]),
        "\(tags) \(text)")
      // Only our own titles are "strong".
      let ours: Set<String> = [
        "To change:", "Known from the baseline", "Suppressed", "Contracts", "Fixed since the baseline",
        "What was not seen",
        "Suppressions that matched nothing",
      ]
      #expect(Set(html.matches(of: /<strong>(.*?)<\/strong>/).map { String($0.output.1) }).isSubset(of: ours))
      let outsideCode = html.replacing(/<code>.*?<\/code>/, with: "")
      #expect(!outsideCode.contains("@someone") && !outsideCode.contains("#1") && !outsideCode.contains("http:/"))
    }
  }

  private static func html(_ markdown: String) throws -> String {
    try withTemporaryFolder { folder in
      try markdown.write(toFile: "\(folder)/report.md", atomically: true, encoding: .utf8)
      let extensions = ["table", "strikethrough", "autolink", "tasklist"].flatMap { ["--extension", $0] }
      let result = try TestTool.cmark.run(["--unsafe"] + extensions + ["report.md"], folder: folder)
      try #require(result.status == 0, "\(result.errors)")
      return result.output
    }
  }
}
