import Testing

@testable import LifelineReporting

@Suite struct CleanVerdictTests {
  private func texts(_ report: Report) -> [String] {
    [
      TextFormat().render(report), MarkdownFormat().render(report), GitHubFormat().render(report),
      HTMLFormat().render(report),
    ]
  }

  private func clean(isExamined: Bool) -> Report {
    var report = SampleReport.report([])
    report.verdict = "clean"
    report.gate = Report.Gate(failOn: ["errors"], contracts: [], fixed: [], unusedSuppressions: [], hasBaseline: false)
    report.heap = Report.Heap(
      isExamined: isExamined, reason: isExamined ? nil : "the process cannot be examined", reachableBytes: 0,
      reachableCount: 0, lostCount: 0, lostBytes: 0, kept: [])
    return report
  }

  @Test("A clean check that could not search for leaks says so in each format")
  func notLookedFor() {
    let expected = [
      "Verdict: clean (leaks were not looked for)", "✅ Clean (leaks were not looked for)",
      "The check is green (leaks were not looked for).", "clean, leaks were not looked for",
    ]
    for (text, expected) in zip(texts(clean(isExamined: false)), expected) { #expect(text.contains(expected)) }
    #expect(texts(clean(isExamined: true)).allSatisfy { !$0.contains("not looked for") })
  }

  @Test("A report without a gate names what was not seen only in its own section")
  func noGate() {
    var report = clean(isExamined: false)
    report.gate = nil
    #expect(TextFormat().render(report).contains("Verdict: clean\n"))
  }
}
