import Foundation
import LifelineReporting
import LifelineTestSupport
import Testing

/// A thread retains an object while another one runs its deinit. The deinit waits for the thread, so this happens in
/// every run.
@Suite(.startsPrograms) struct DyingRaceTests {
  private static let source = """
    import Foundation
    let dying = DispatchSemaphore(value: 0), taken = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
    final class Mixer {
      var volume = 1
      deinit { dying.signal(); taken.wait() }
    }
    final class Studio { var mixer: Mixer? = Mixer() }
    nonisolated(unsafe) var kept: Mixer?
    let studio = Studio()
    let reference = Unmanaged.passUnretained(studio.mixer!)
    @inline(never) func take(_ keeps: Bool) {
      let mixer = reference.takeUnretainedValue() // ACCESS
      mixer.volume += 1
      if keeps { kept = mixer } // ACCESS
    }
    let keeps = CommandLine.arguments.count > 1
    Thread.detachNewThread { dying.wait(); take(keeps); taken.signal(); done.signal() }
    @inline(never) func reset() { studio.mixer = nil }
    reset()
    done.wait()
    print("end")
    """

  @Test(
    "The finding shows the thread that retains an object during its deinit, whether or not it keeps the object",
    .timeLimit(.minutes(60)),
    arguments: ["-Onone", "-O"], [[], ["keep"]])
  func blame(_ level: String, _ arguments: [String]) throws {
    let program = try TestProgram(Self.source, options: ["-g", level, "-module-name", "Race"])
    try withTemporaryFolder { folder in
      func lifeline(_ words: [String]) throws -> CommandResult {
        try CommandResult.run(BuiltPackage.lifeline, words, folder: folder)
      }
      _ = try lifeline(["record", "-q", "-o", "t", "--", program.path] + arguments)
      let output = try lifeline(["report", "t", "--format", "json"]).output
      let report = try JSONDecoder().decode(Report.self, from: Data(output.utf8))
      let finding = try #require(report.findings.first)
      #expect(finding.kind == "use-after-free" && finding.access == "retain" && finding.object.id == "Mixer#1")
      #expect(!report.findings.contains { $0.kind == "resurrection" })
      let access = try #require(finding.backtraces.first { $0.role == "access" })
      let end = try #require(finding.backtraces.first { $0.role == "final-release" })
      #expect(access.thread != end.thread)
      let lines = Self.source.split(separator: "\n", omittingEmptySubsequences: false).enumerated().filter {
        $0.element.hasSuffix("// ACCESS")
      }
      #expect(access.frames.contains { frame in lines.contains { $0.offset + 1 == frame.line } })
      #expect(!(try lifeline(["history", "t", "Mixer#1"]).output.contains("Verdict: on time")))
    }
  }
}
