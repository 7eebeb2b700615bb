import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite struct SARIFReaderTests {
  /// Microsoft's reader of SARIF logs; `pip install sarif-tools`.
  static let hasReader = (try? CommandResult.run("sarif", ["--version"]).status) == 0

  @Test("A reader of SARIF that we have no part in counts the findings by level and rule", .enabled(if: hasReader, "needs sarif-tools"))
  func summary() throws {
    var warning = SampleReport.finding()
    warning.kind = "late-deallocation"
    warning.severity = "warning"
    let text = try SARIFFormat().render(SampleReport.report([SampleReport.finding(), warning]))
    try withTemporaryFolder { folder in
      try text.write(toFile: "\(folder)/r.sarif", atomically: true, encoding: .utf8)
      let read = try CommandResult.run("sarif", ["summary", "r.sarif"], folder: folder)
      #expect(read.status == 0)
      #expect(read.output.contains("error: 1\n - use-after-free ") && read.output.contains("warning: 1\n - late-deallocation "))
      #expect(read.output.contains("note: 0"))
    }
  }
}
