import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite(.timeLimit(.minutes(60))) struct SARIFReaderTests {
  @Test("Microsoft's SARIF reader counts the findings by level and rule", .needs(.sarif))
  func summary() throws {
    var warning = SampleReport.finding()
    warning.kind = "late-deallocation"
    warning.severity = "warning"
    let text = try SARIFFormat().render(SampleReport.report([SampleReport.finding(), warning]))
    try withTemporaryFolder { folder in
      try text.write(toFile: "\(folder)/r.sarif", atomically: true, encoding: .utf8)
      let read = try TestTool.sarif.run(["summary", "r.sarif"], folder: folder)
      #expect(read.status == 0)
      #expect(
        read.output.contains("error: 1\n - use-after-free ")
          && read.output.contains("warning: 1\n - late-deallocation "))
      #expect(read.output.contains("note: 0"))
    }
  }
}
