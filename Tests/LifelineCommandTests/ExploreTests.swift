import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// `lifeline explore`: a race that hardly ever comes by itself (Tests/Corpus/Races).
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct ExploreTests {
  private static func program(_ name: String, clean: Bool = false) throws -> TestProgram {
    let path = BuiltPackage.root.appendingPathComponent("Tests/Corpus/Races/\(name).swift")
    let options = ["-g", "-Onone", "-swift-version", "6", "-module-name", "Corpus"] + (clean ? ["-D", "CLEAN"] : [])
    return try TestProgram(String(contentsOf: path, encoding: .utf8), options: options)
  }

  private func explore(_ arguments: [String]) throws -> CommandResult {
    try withTemporaryFolder { folder in
      try CommandResult.run(
        BuiltPackage.lifeline, ["explore"] + arguments, environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
    }
  }

  @Test("A race between a poller and its delegate's owner is found, named, and shown again by its seed")
  func found() throws {
    let program = try Self.program("DelegateFreed")
    let result = try explore(["--format", "json", "--confirm", "4", "--", program.path])
    #expect(result.status == 1)
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    let finding = try #require(report.findings.first)
    #expect(finding.kind == "use-after-free" && finding.object.id == "Screen#1")
    let access = try #require(finding.backtraces.first { $0.role == "access" })
    let end = try #require(finding.backtraces.first { $0.role == "final-release" })
    #expect(access.thread != end.thread)
    let hold = try #require(report.exploration?.schedule.first)
    #expect(hold.function.contains("tick()") && hold.location?.hasPrefix("main.swift:") == true)
    let seed = try #require(report.exploration?.seed)
    let again = try explore(["--seed", String(seed), "--", program.path])
    #expect(again.status == 1 && again.output.contains("Screen#1 was messaged"))
  }

  @Test("In its twin, which is synchronised, nothing is found, and the answer is what was tried")
  func twin() throws {
    let result = try explore(["--runs", "12", "--", try Self.program("DelegateFreed", clean: true).path])
    #expect(result.status == 0)
    #expect(result.output.contains("\nVerdict: no problem in 13 schedules of "))
    #expect(!result.output.contains("clean"))
  }

  @Test("A program that takes longer than the limit is ended, and the user is told")
  func limit() throws {
    let result = try explore(["--limit", "1", "--runs", "2", "--", "/usr/bin/sleep", "600"])
    #expect(result.status == 3)
    #expect(result.output == "Verdict: no verdict: The program did not end within 1 seconds.\n")
  }

  @Test(
    "Wrong usage is refused with one sentence",
    arguments: [
      (["--seed", "0"], "Error: 0 is the seed of no schedule"),
      (["--runs", "0"], "Error: --runs takes a number from 1"),
      (["--runs", "1", "--for", "1s"], "Error: --runs and --for exclude each other."),
      (["--for", "soon"], "Error: --for takes a span"),
    ])
  func refused(_ arguments: [String], _ sentence: String) throws {
    let result = try explore(arguments + ["--", "/usr/bin/true"])
    #expect(result.status == 64 && result.errors.hasPrefix(sentence))
  }
}
