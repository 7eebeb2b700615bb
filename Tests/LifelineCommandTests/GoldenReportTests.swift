import Foundation
import LifelineTestSupport
import Testing

/// The reviewed reports in Reports/. `LIFELINE_RECORD_REPORTS=1 swift test --filter GoldenReportTests` writes them
/// anew and fails, so that a person looks at the difference before it is committed.
@Suite struct GoldenReportTests {
  @Test("The report and history of each scenario are the reviewed ones", arguments: ["DelayedDeallocation"])
  func report(_ name: String) throws {
    let source = try String(contentsOf: BuiltPackage.root.appendingPathComponent("Examples/\(name).swift"), encoding: .utf8)
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", name], file: "\(name).swift")
    let rendered = try withTemporaryFolder { folder in
      let check = try lifeline(["check", "--on-use-after-free", "continue", "-o", "t.lifeline", "--", program.path], in: folder)
      #expect(check.status == 1)
      let histories = try ["DetailViewController#1", "FetchedResultsController#1"].map {
        try lifeline(["history", "t.lifeline", $0], in: folder).output
      }
      return Self.normalized(([check.output] + histories).joined(separator: "\n"))
    }
    let file = BuiltPackage.root.appendingPathComponent("Reports/\(name).txt")
    if ProcessInfo.processInfo.environment["LIFELINE_RECORD_REPORTS"] != nil {
      try rendered.write(to: file, atomically: true, encoding: .utf8)
      Issue.record("Reports/\(name).txt was written anew; look at the difference, then run the tests again.")
      return
    }
    try #expect(String(contentsOf: file, encoding: .utf8) == rendered)
  }

  /// Numbers that change from run to run or from one toolchain to the next become letters.
  private static func normalized(_ text: String) -> String {
    var result = text
    for (pattern, replacement) in [
      ("process [0-9]+", "process P"), ("0x[0-9a-f]+", "0xX"), ("[0-9]+(\\.[0-9]+)? (ns|µs|ms)", "T"),
      (" +T ", " T "), ("balanced by +time", "balanced by time"), ("to +time", "to time"),
    ] {
      result = result.replacingOccurrences(of: pattern, with: replacement, options: .regularExpression)
    }
    return result
  }
}
