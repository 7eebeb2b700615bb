import Foundation
import Testing

@testable import LifelineReporting

@Suite struct GitHubFormatTests {
  /// A workflow command as the runner reads it: `::name key=value,key=value::message` at the start of a line.
  private struct Command: Equatable {
    var name: String
    var properties: [String: String] = [:]
    var message: String

    init?(_ line: Substring) {
      guard line.hasPrefix("::"), let end = line.dropFirst(2).range(of: "::") else { return nil }
      let head = line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]
      let parts = head.split(separator: " ", maxSplits: 1)
      name = parts.first.map(String.init) ?? ""
      for pair in parts.dropFirst().first?.split(separator: ",") ?? [] {
        guard let equals = pair.firstIndex(of: "=") else { return nil }
        properties[String(pair[..<equals])] = Self.unescaped(
          pair[pair.index(after: equals)...], ["%0D", "%0A", "%3A", "%2C", "%25"])
      }
      message = Self.unescaped(line[end.upperBound...], ["%0D", "%0A", "%25"])
    }

    private static func unescaped(_ text: Substring, _ codes: [String]) -> String {
      let meaning = ["%0D": "\r", "%0A": "\n", "%3A": ":", "%2C": ",", "%25": "%"]
      var result = String(text)
      // "%25" last, so that "%250A" becomes "%0A" and not a line end.
      for code in codes { result = result.replacingOccurrences(of: code, with: meaning[code]!) }
      return result
    }
  }

  private func commands(_ report: Report) throws -> [Command] {
    let text = GitHubFormat(root: SourceRoot("/src/app")).render(report)
    #expect(text.hasSuffix("\n"))
    return try text.split(separator: "\n").map { try #require(Command($0), "\($0.prefix(200))") }
  }

  @Test("A finding is an error at its line, with one line for each sentence of the explanation")
  func finding() throws {
    #expect(
      GitHubFormat(root: SourceRoot("/src/app")).render(SampleReport.report([SampleReport.finding()])) == """
        ::error file=Sources/Detail.swift,line=34,col=5,title=use-after-free%3A \
        DetailViewController#1::DetailViewController#1 was messaged 41 µs (3 events) after it was \
        freed.%0AController.contextChanged(_:) sent it DetailViewController.willChange() (event 9, main thread, \
        Detail.swift:34).%0AIts last strong reference was released by DetailViewController.close() (event 6, worker, \
        Detail.swift:56).%0ATo change: Make the reference to DetailViewController weak.
        ::error title=Lifeline::1 finding failed the check.

        """)
  }

  @Test("An object without another line is marked where it was created, outside of its initializers")
  func creation() throws {
    var finding = SampleReport.finding()
    let creation = SampleReport.frame("DetailViewController.__allocating_init(_:)", "/src/app/Detail.swift", 3)
    let caller = SampleReport.frame("open()", "/src/app/Detail.swift", 12)
    finding.backtraces = [SampleReport.backtrace("allocation", event: 1, [creation, caller])]
    #expect(try commands(SampleReport.report([finding]))[0].properties["line"] == "12")
  }

  @Test("Known findings are notices, suppressed ones are omitted, and no verdict is an error")
  func states() throws {
    var suppressed = SampleReport.finding()
    suppressed.outcome = Report.Outcome(state: "suppressed", reason: "issue 12")
    var known = SampleReport.finding()
    known.outcome = Report.Outcome(state: "known", reason: nil)
    let commands = try commands(SampleReport.report([suppressed, known]))
    #expect(commands.map(\.name) == ["notice", "notice"])
    #expect(commands[0].properties["title"] == "use-after-free (known): DetailViewController#1")
    #expect(commands[1].message == "The check is green (1 known, 1 suppressed).")
    let none = GitHubFormat().render(
      SampleReport.report([], verdict: "none", reason: "100% of the events, it seems, were lost"))
    #expect(none == "::error title=Lifeline::No verdict: 100%25 of the events, it seems, were lost\n")
  }

  @Test("Hostile strings do not start commands, and are read back unchanged")
  func hostile() throws {
    for text in [SampleReport.hostile, String(repeating: "%0A::error::é\n", count: 90_000), ""] {
      let report = SampleReport.report(everywhere: text)
      let commands = try commands(report)
      #expect(commands.count == 7)
      #expect(commands.allSatisfy { ["error", "warning", "notice"].contains($0.name) })
      #expect(commands.allSatisfy { Set($0.properties.keys).isSubset(of: ["file", "line", "col", "title"]) })
      #expect(GitHubFormat().render(report).commandingScalars.isEmpty)
      #expect(GitHubFormat().render(report).utf8.count < 100_000)
    }
    let odd = "a,b:c%0A=d::e"
    let command = try #require(try commands(SampleReport.report(everywhere: odd)).first)
    #expect(command.properties["title"] == "\(odd): \(odd)#1")
    #expect(command.properties["file"] == odd)
    #expect(command.message.hasPrefix("\(odd)#1 was messaged"))
  }
}
