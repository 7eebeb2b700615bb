import Testing

@testable import LifelineReporting

@Suite struct OneStoryTests {
  @Test("A finding's title, explanation, suggestion and place are the same in every format")
  func sentences() throws {
    let finding = SampleReport.finding()
    let report = SampleReport.report([finding])
    // How each format escapes the sample's sentences, which contain parentheses, '#', '_' and ':'.
    func markdown(_ text: String) -> String {
      text.replacing("#", with: "\\#&#8203;").replacing("(", with: "\\(").replacing(")", with: "\\)").replacing(
        "_", with: "\\_")
    }
    let formats: [(name: String, text: String, written: (String) -> String)] = [
      ("text", TextFormat().render(report), { $0 }), ("json", try JSONFormat().render(report), { $0 }),
      ("sarif", try SARIFFormat().render(report), { $0 }), ("junit", JUnitFormat().render(report), { $0 }),
      ("html", HTMLFormat().render(report), { $0 }),
      ("markdown", MarkdownFormat().render(report), markdown), ("github", GitHubFormat().render(report), { $0 }),
    ]
    for (name, text, written) in formats {
      for sentence in [finding.title] + finding.explanation + [finding.suggestion!] {
        #expect(text.contains(written(sentence)), "\(name): \(sentence)")
      }
      #expect(text.contains("use-after-free") && text.contains("Detail.swift") && text.contains("34"), "\(name)")
    }
  }
}
