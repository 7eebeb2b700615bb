import Testing

@testable import LifelineReporting

@Suite struct CleanVerdictTests {
  private func texts(_ report: Report) -> [String] {
    [
      TextFormat().render(report), MarkdownFormat().render(report), GitHubFormat().render(report),
      HTMLFormat().render(report),
    ]
  }

  private func clean(except exception: String?) -> Report {
    var report = SampleReport.report([])
    report.verdict = "clean"
    report.gate = Report.Gate(
      failOn: ["errors"], contracts: [], fixed: [], unusedSuppressions: [], hasBaseline: false, exception: exception)
    return report
  }

  @Test("A clean check that could not search for leaks says so in each format")
  func notLookedFor() {
    let expected = [
      "Verdict: clean (leaks were not looked for)", "✅ Clean (leaks were not looked for)",
      "The check is green (leaks were not looked for).", "clean, leaks were not looked for",
    ]
    let texts = self.texts(clean(except: "leaks were not looked for"))
    for (text, expected) in zip(texts, expected) { #expect(text.contains(expected)) }
    var report = SampleReport.report([])
    (report.verdict, report.exception) = ("clean", "leaks were not looked for")
    for (text, expected) in zip(self.texts(report), expected) { #expect(text.contains(expected)) }
    #expect(self.texts(clean(except: nil)).allSatisfy { !$0.contains("not looked for") })
  }

  @Test("A check of a program that failed is not called green", arguments: [(nil, 4), (3, nil)] as [(Int?, Int?)])
  func failed(_ status: Int?, _ signal: Int?) throws {
    var report = clean(except: nil)
    (report.program.exitStatus, report.program.signal) = (status, signal)
    let end = signal == nil ? "exited with status 3" : "was ended by SIGILL"
    #expect(GitHubFormat().render(report).contains("::Nothing was found, but the program \(end).\n"))
    #expect(MarkdownFormat().render(report).hasPrefix("## Lifeline: ⚠️ Nothing was found, but the program \(end)\n"))
    let junit = JUnitFormat().render(report)
    #expect(junit.contains("failures=\"0\" errors=\"1\""), "\(junit)")
    #expect(junit.contains("<error message=\"Nothing was found, but the program \(end).\" type=\"program\">"))
    let page = HTMLFormat().render(report)
    #expect(page.contains("<p class=\"verdict warning\">nothing was found, but the program \(end)</p>"))
    #expect(page.contains("Nothing was found, but the program \(end).") && !page.contains("No problem was found."))
    #expect(try SARIFFormat().render(report).contains("\"text\" : \"Nothing was found, but the program \(end).\""))
  }
}
