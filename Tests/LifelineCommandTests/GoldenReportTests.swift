import Foundation
import LifelineTestSupport
import Testing

/// The reviewed reports in Reports/. `LIFELINE_RECORD_REPORTS=1 swift test --filter GoldenReportTests` records them
/// again and fails, so that someone reads the difference before it is committed.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct GoldenReportTests {
  private static let folder = BuiltPackage.root.appendingPathComponent("Reports")
  private static let isRecording = ProcessInfo.processInfo.environment["LIFELINE_RECORD_REPORTS"] != nil

  /// Parts of reports that vary by chance, and their replacements: whether a stale word on a waiting thread's stack
  /// passes for a reference, and which of two blocks of a queue, on two threads, releases last.
  private static let withoutChance: [String: @Sendable (String) -> String] = [
    "CompletionBlockHoldsOperation/run.txt": ReportText.withoutLeaks,
    "CompletionBlockHoldsOperation/run-weak.txt": ReportText.withoutBeginning,
  ]

  @Test("The report and history of the stand-alone example match the reviewed ones", arguments: ["DelayedDeallocation"])
  func example(_ name: String) throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Examples/\(name).swift"), encoding: .utf8)
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", name], file: "\(name).swift")
    let rendered = try withTemporaryFolder { folder in
      let check = try lifeline(
        ["check", "--depth", "full", "--on-use-after-free", "continue", "-o", "t.lifeline", "--", program.path],
        in: folder)
      #expect(check.status == 1)
      let histories = try ["DetailViewController#1", "FetchedResultsController#1"].map {
        try lifeline(["history", "t.lifeline", $0], in: folder).output
      }
      return ([check.output] + histories).joined(separator: "\n")
    }
    try compare(ReportText.normalized(rendered), with: "\(name).txt")
  }

  private struct Document: Decodable {
    struct Play: Decodable {
      let scenario: String
      let variant: String
      let failures: [String]
    }
    let plays: [Play]
  }

  @Test("The whole catalog meets its expectations, each report is the reviewed one, and the index lists them all")
  func catalogue() throws {
    let gallery = try Gallery(list: lifeline(["run", "--list", "--format", "json"], in: "/").output)
    try withTemporaryFolder { folder in
      let result = try lifeline(["run", "--all", "--format", "json", "--reports", folder], in: "/")
      #expect(result.status == 0)
      let failed = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).plays.filter {
        !$0.failures.isEmpty
      }
      for play in failed { Issue.record("\(play.scenario) \(play.variant): \(play.failures.joined(separator: " "))") }
      for report in gallery.reports {
        let text = try String(contentsOfFile: "\(folder)/\(report)", encoding: .utf8)
        try compare(ReportText.normalized(text), with: report)
      }
    }
    try compare(gallery.page(), with: "README.md")
    let files = try FileManager.default.subpathsOfDirectory(atPath: Self.folder.path).filter {
      $0.contains("/") && $0.hasSuffix(".txt")
    }
    for orphan in Set(files).subtracting(gallery.reports).sorted() {
      Issue.record("Reports/\(orphan) is of no play any more; remove it.")
    }
  }

  private func compare(_ text: String, with name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let reviewed = try? String(contentsOf: file, encoding: .utf8)
    if reviewed == text { return }
    // How many functions a library calls is its own affair.
    let calls = /and \d+ more inside it/
    if !Self.isRecording, reviewed?.replacing(calls, with: "") == text.replacing(calls, with: "") { return }
    if !Self.isRecording, let reviewed, let without = Self.withoutChance[name], without(reviewed) == without(text) {
      return
    }
    if Self.isRecording {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("Reports/\(name) was written anew; look at the difference, then run the tests again.")
    } else {
      let line = zip((reviewed ?? "").split(separator: "\n"), text.split(separator: "\n")).first { $0 != $1 }
      Issue.record(
        """
        Reports/\(name) differs: reviewed '\(line.map { String($0.0) } ?? "")', \
        now '\(line.map { String($0.1) } ?? "")'.
        """
      )
    }
  }
}
