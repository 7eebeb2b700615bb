import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// One recording of a program: one object's life, and the report.
struct LifetimeRun {
  let timeline: Report.ObjectTimeline
  let report: Report

  init(_ program: TestProgram, _ object: String, _ options: [String] = []) throws {
    (timeline, report) = try withTemporaryFolder { folder in
      func lifeline(_ arguments: [String]) throws -> CommandResult {
        try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder)
      }
      let recorded = try lifeline(["record", "-q", "--zombies", "-o", "t", "--", program.path])
      #expect(recorded.status == 0 && recorded.output.hasSuffix("\n"))
      let history = try lifeline(["history", "t", object, "--format", "json"] + options)
      let timeline = try #require(
        try JSONDecoder().decode([Report.ObjectTimeline].self, from: Data(history.output.utf8)).first)
      let report = try lifeline(["report", "t", "--late", "--format", "json"] + options)
      return (timeline, try JSONDecoder().decode(Report.self, from: Data(report.output.utf8)))
    }
  }
}
