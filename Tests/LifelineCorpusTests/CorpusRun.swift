import Foundation
import LifelineReporting
import LifelineTestSupport

/// The result of `lifeline check` for a program.
struct CorpusRun {
  let status: Int32
  let report: Report

  init(_ program: TestProgram, _ options: [String]) throws {
    (status, report) = try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline,
        ["check", "--format", "json", "--report", "report.json"] + options + ["--", program.path],
        environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/report.json"))
      return (result.status, try JSONDecoder().decode(Report.self, from: data))
    }
  }

  /// Lines of the program's own file in a backtrace of the first finding.
  func lines(_ role: String) -> Set<Int> {
    report.findings.first?.backtraces.first { $0.role == role }.map(Self.lines) ?? []
  }

  static func lines(_ backtrace: Report.Backtrace) -> Set<Int> {
    Set(backtrace.frames.filter { $0.file?.hasSuffix("main.swift") == true }.compactMap(\.line))
  }
}
