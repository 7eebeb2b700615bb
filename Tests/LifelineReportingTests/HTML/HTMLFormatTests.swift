import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite("HTML report", .timeLimit(.minutes(60)))
struct HTMLFormatTests {
  private let html = HTMLFormat(showsSource: false).render(StoryReport.report)

  @Test("The finding's sentences, suggestion and places are in the page's text and need no script")
  func findingText() {
    for text in [
      "DetailViewController#1 was messaged 2.8 µs (4 events) after it was freed",
      """
      released it at <a class="event" data-event="33" href="#3f2a9c0d11e4b765-1-e33">event 33</a>, \
      but NotificationCenter.post
      """,
      "<strong>To change</strong> Make the reference weak, clear it in DetailViewController&#39;s deinit",
      """
      <code class="function">MasterViewController.closeDetail()</code> \
      <span class="place">DelayedDeallocation.swift:56</span>
      """,
      "<article class=\"finding error\" id=\"3f2a9c0d11e4b765\"", "href=\"#3f2a9c0d11e4b765\"",
      "<tr id=\"3f2a9c0d11e4b765-1-e33\" data-event=\"33\">",
    ] {
      #expect(html.contains(text), "\(text)")
    }
  }

  @Test("Runs of library frames are folded under the function that the program called")
  func foldedFrames() {
    #expect(
      html.contains(
        """
        <summary><code class="function">NotificationCenter.post(name:object:userInfo:)</code> \
        <span class="place">libFoundation.so</span> <span class="tag">3 frames</span></summary>
        """
      ))
  }

  @Test(
    "The policy contains the hashes of the only style sheet and the only script, as computed by sha256sum",
    .startsPrograms)
  func policy() throws {
    func between(_ start: String, _ end: String) throws -> String {
      let from = try #require(html.range(of: start))
      return String(
        html[from.upperBound..<(try #require(html.range(of: end, range: from.upperBound..<html.endIndex))).lowerBound])
    }
    func sha256(_ text: String) throws -> String {
      try withTemporaryFolder { folder in
        try text.write(toFile: folder + "/text", atomically: true, encoding: .utf8)
        let hex = try CommandResult.run("sha256sum", [folder + "/text"]).output.prefix(64)
        let bytes = stride(from: 0, to: 64, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
        return Data(bytes).base64EncodedString()
      }
    }
    let style = try sha256(between("<style>", "</style>"))
    let script = try sha256(between("<script>", "</script>"))
    #expect(
      try between("http-equiv=\"Content-Security-Policy\" content=\"", "\"")
        == "default-src 'none'; style-src 'sha256-\(style)'; script-src 'sha256-\(script)'; base-uri 'none'; "
        + "form-action 'none'"
    )
    #expect(html.components(separatedBy: "<script").count == 2)
    #expect(html.components(separatedBy: "<style").count == 2)
    #expect(!html.contains("style=\""))
    #expect(!html.contains("://"), "nothing is loaded from elsewhere")
  }

  @Test("Source lines around a frame's place are shown, and omitted if not wanted")
  func sourceLines() {
    let line =
      """
      <mark><span class="number">34</span><span class="text">    delegate.controllerWillChangeContent()</span></mark>
      """
    #expect(HTMLFormat(showsSource: true).render(StoryReport.report).contains(line))
    #expect(!html.contains("class=\"number\""))
  }

  @Test("Every link inside the page has a target, and every ID is unique")
  func links() {
    let ids = html.matches(of: /\sid="([^"]*)"/).map { String($0.1) }
    #expect(Set(ids).count == ids.count)
    let targets = Set(html.matches(of: /href="#([^"]*)"/).map { String($0.1) })
    #expect(targets.subtracting(ids) == [])
  }

  @Test("The page is accessible: one main heading, labeled regions and drawings, and column headers in tables")
  func accessibility() {
    func tags(_ name: String) -> [String] {
      html.components(separatedBy: "<\(name) ").dropFirst().map { String($0.prefix { $0 != ">" }) }
    }
    #expect(html.components(separatedBy: "<h1>").count == 2)
    for landmark in [
      "<header class=\"masthead\"", "<main id=\"main\"", "<nav class=\"sections\" aria-label=", "<footer>",
      "<a class=\"skip\" href=\"#main\">",
    ] {
      #expect(html.contains(landmark), "\(landmark)")
    }
    #expect(
      tags("svg").allSatisfy {
        $0.contains("aria-hidden=\"true\"") || ($0.contains("role=\"img\"") && $0.contains("aria-label=\""))
      })
    #expect(tags("th").allSatisfy { $0.contains("scope=\"") })
    #expect(!html.contains("<th>"))
    #expect(
      html.contains(
        """
        aria-label="Lives of DetailViewController#1, freed at event 35, used 3 times after that; \
        FetchedResultsController#1, freed at event 43"
        """
      ))
  }

  @Test("Findings that the gate accepted come last and are tagged; broken contracts are in the verdict")
  func gate() throws {
    var report = StoryReport.report
    report.findings.reverse()
    let page = HTMLFormat().render(report)
    let first = try #require(page.range(of: "<article class=\"finding error\" id=\"3f2a9c0d11e4b765\""))
    let known = try #require(
      page.range(
        of:
          """
          <code>late-deallocation</code> <span class="tag">known</span> \
          <span class="place">It is in the baseline.</span>
          """
      ))
    #expect(first.lowerBound < known.lowerBound)
    #expect(page.contains("<p class=\"verdict error\">1 finding and 1 broken contract</p>"))
    #expect(
      page.contains(
        """
        <tr class="fault"><td>broken</td><th scope="row"><code>DelayedDeallocation.<wbr>Row: max-live 100</code></th>
        """
      ))
    #expect(page.contains("<code>leak:OldClass</code>"))
  }

  @Test("Copy as Markdown copies the Markdown report of that finding only")
  func markdown() throws {
    var alone = StoryReport.report
    alone.findings = [StoryReport.finding]
    alone.gate = nil
    alone.timelines = []
    alone.recording.remarks = []
    let lines = MarkdownFormat().render(alone).split(separator: "\n", omittingEmptySubsequences: false)
    let expected = lines.map { ("\(String($0), limit: 4000)" as Markup).html }.joined(separator: "\n")
    #expect(html.contains("<pre tabindex=\"0\" aria-label=\"Markdown of this finding\">\(expected)</pre>"))
    #expect(expected.contains("DetailViewController\\#&amp;#8203;1 was messaged"))
  }

  @Test("The same report renders to the same bytes")
  func determinism() {
    #expect(HTMLFormat(showsSource: false).render(StoryReport.report) == html)
  }

  @Test("A report without findings explains its verdict")
  func verdicts() {
    var report = StoryReport.report
    report.verdict = "clean"
    report.findings[0].severity = "warning"
    #expect(HTMLFormat().render(report).contains("<p class=\"verdict clean\">clean, 1 known, 1 warning</p>"))
    report.findings = []
    #expect(HTMLFormat().render(report).contains("No problem was found."))
    report.verdict = "none"
    report.noVerdictReason = "The program's runtime is linked statically."
    let page = HTMLFormat().render(report)
    #expect(page.contains("<strong>No verdict.</strong> The program&#39;s runtime is linked statically."))
    #expect(!page.contains("Nothing wrong was found"))
    #expect(page.contains("<section id=\"lives\""), "lives that no finding mentions have their own section")
  }

  @Test(
    "A path in debug information is read only if it is certainly a source file",
    arguments: ["/etc/passwd", "/dev/zero", "relative.swift", "/nonexistent/a.swift", ""])
  func foreignPaths(path: String) {
    #expect(SourceFileTable().lines(around: 1, of: path, margin: 2).isEmpty)
  }

  @Test("A short or non-UTF-8 file, a pipe or a folder provides only the lines it has")
  func oddFiles() throws {
    try withTemporaryFolder { folder in
      try Data([0x61, 0x0D, 0x0A, 0xFF, 0x0A]).write(to: URL(fileURLWithPath: folder + "/a.swift"))
      #expect(mkfifo(folder + "/pipe.swift", 0o600) == 0)
      try FileManager.default.createDirectory(atPath: folder + "/folder.swift", withIntermediateDirectories: false)
      let sources = SourceFileTable()
      #expect(sources.lines(around: 2, of: folder + "/a.swift", margin: 1).map(\.text) == ["a", "\u{FFFD}", ""])
      #expect(sources.lines(around: 9, of: folder + "/a.swift", margin: 1).isEmpty)
      #expect(sources.lines(around: -1, of: folder + "/a.swift", margin: 1).isEmpty)
      #expect(sources.lines(around: 1, of: folder + "/pipe.swift", margin: 1).isEmpty)
      #expect(sources.lines(around: 1, of: folder + "/folder.swift", margin: 1).isEmpty)
    }
  }

  @Test("The table of holders names the object that was held, which may be the one that used the finding's own")
  func heldObject() {
    var finding = SampleReport.finding()
    finding.holds = [
      Report.Hold(
        holder: "Master.detail", rule: "", isTransient: false, sort: "owner", fromEvent: 1, toEvent: 6, duration: 0,
        fromTime: 100, isOpen: false, confidence: "sure", pairing: "sure", thread: "main thread", function: "open()")
    ]
    let own = HTMLFormat(showsSource: false).render(SampleReport.report([finding]))
    #expect(own.contains("<h4>Who held \(finding.object.id)</h4>"))
    finding.heldObject = "Controller#1"
    let other = HTMLFormat(showsSource: false).render(SampleReport.report([finding]))
    #expect(other.contains("<h4>Who held Controller#1</h4>") && !other.contains("Who held \(finding.object.id)"))
  }

  @Test("Objects that died as late as others at the same places are counted beside them")
  func lateOthers() {
    var report = SampleReport.report([])
    report.late = [
      Report.Late(class: "App.Node", count: 3, notLookedAt: 25, holders: ["a task"]),
      Report.Late(class: "App.Item", count: 1, notLookedAt: 0, holders: ["a task"]),
    ]
    let page = HTMLFormat(showsSource: false).render(report)
    #expect(page.contains("<p>25 more died at the same places.</p>") && !page.contains("<p>0 more"))
  }
}
