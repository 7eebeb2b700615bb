import Testing

@testable import LifelineReporting

@Suite struct PerTestTests {
  private func test(_ name: String, objects: Int, bytes: Int, peak: Int, findings: Int = 0) -> Report.Test {
    Report.Test(
      name: name, objects: objects, bytes: bytes, peakBytes: peak, liveAtExit: 1, retains: 3, findings: findings)
  }

  private func report(_ tests: [Report.Test], process: Int = 4711) -> Report {
    var report = SampleReport.report([])
    report.program.processID = process
    report.tests = tests
    return report
  }

  @Test("The table is sorted by bytes, with one row for a test that ran in several processes")
  func table() {
    let combined = Report(
      combining: [
        report([test("OldTests.testSmall()", objects: 1, bytes: 16, peak: 16)]),
        report(
          [
            test("OldTests.testSmall()", objects: 1, bytes: 16, peak: 32),
            test("big()", objects: 2000, bytes: 48000, peak: 4800, findings: 2),
          ], process: 4712),
      ], leading: 0)
    #expect(combined.tests?.map(\.name) == ["big()", "OldTests.testSmall()"])
    #expect(
      TextFormat().tests(combined).joined(separator: "\n") == """

        Tests
          test                  objects   bytes  peak bytes  live at exit  retains  findings
          big()                   2,000  48,000       4,800             1        3         2
          OldTests.testSmall()        2      32          32             2        6
        """)
  }

  @Test("The table is in HTML and Markdown as well, and a bar in a name does not end its cell")
  func otherFormats() {
    let report = report([test("a | b", objects: 2000, bytes: 48000, peak: 4800, findings: 2)])
    #expect(HTMLFormat().render(report).contains("<h2 id=\"tests-title\">Tests</h2>"))
    #expect(
      MarkdownFormat().render(report).contains(
        """
        | test | objects | bytes | peak bytes | live at exit | retains | findings |
        | --- | ---: | ---: | ---: | ---: | ---: | ---: |
        | `a \\| b` | 2,000 | 48,000 | 4,800 | 1 | 3 | 2 |
        """))
    #expect(!HTMLFormat().render(SampleReport.report([])).contains("tests-title"))
  }

  @Test("Where the retains of a class were not recorded, the table has none")
  func withoutRetains() {
    var report = SampleReport.report([])
    report.classes = [
      Report.Class(
        name: "App.Session", allocated: 1, liveAtExit: 1, peakLive: 1, instanceSize: 32, retains: 0, releases: 0,
        countGaps: 0, liveOverTime: [], isCounted: false)
    ]
    report.findings = [SampleReport.finding("Session")]
    report.findings[0].test = "testA()"
    report = report.counting([])
    #expect(report.tests?.map(\.retains) == [nil])
    let text = TextFormat().tests(report).joined(separator: "\n")
    #expect(text.contains("live at exit  findings\n"), "\(text)")
  }

  @Test("Several processes are combined into one report, whose findings say which process they belong to")
  func combining() throws {
    var first = SampleReport.report([SampleReport.finding("Screen")])
    first.timelines = [SampleReport.timeline("Screen")]
    var second = first
    second.program.processID = 4712
    second.findings[0].severity = "warning"
    let run = Report(combining: [second, first], leading: 1)
    #expect(run.findings.map(\.severity) == ["error", "warning"])
    #expect(run.findings.map(\.process) == [1, 0])
    #expect(run.timelines.map(\.process) == [0, 1])
    #expect(run.program.processID == 4711 && run.processes?.map(\.program.processID) == [4712, 4711])
    #expect(run.recording.events == ["retain": 10, "release": 8])
    let text = TextFormat().render(run)
    #expect(
      text.hasPrefix(
        """
        App (process 4712) exited with status 0 after 1 s: 1 warning
        App (process 4711) exited with status 0 after 1 s: 1 finding
        18 events of 0 objects on 4 threads in 2 processes; 0 lost
        """))
    #expect(text.contains("  In the process App (process 4711).\n"))
    for other in [
      HTMLFormat().render(run), MarkdownFormat().render(run).replacing("\\", with: ""), GitHubFormat().render(run),
      try SARIFFormat().render(run),
    ] {
      #expect(other.contains("In the process App (process 4711).") && other.contains("(process 4712)."), "\(other)")
    }
    // A warning's case is skipped, with its title only.
    #expect(JUnitFormat().render(run).contains("In the process App (process 4711)."))
    #expect(HTMLFormat().render(run).contains("<h2 id=\"processes-title\">Processes</h2>"))
    let cases = JUnitFormat().render(run).matches(of: /name="use-after-free: [^"]*"/).map { String($0.output) }
    #expect(cases.count == 2 && Set(cases).count == 2)
    #expect(FindingSteps(run.findings[0], timelines: run.timelines).steps.count > 2)
    #expect(Report(combining: [first], leading: 0) == first)
  }
}
