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

  /// The method reads the table's reference under a lock; the owner drops its own outside of it.
  private static func table(_ members: String) -> String {
    """
    import Foundation
    let dying = DispatchSemaphore(value: 0), taken = DispatchSemaphore(value: 0), done = DispatchSemaphore(value: 0)
    class Mixer: @unchecked Sendable {
      var volume = 1
      @inline(never) func turn() { volume += 1 }
      deinit { dying.signal(); taken.wait() }
    }
    final class Table: @unchecked Sendable {
      let lock = NSLock()
      \(members)
    }
    final class Studio: @unchecked Sendable {
      var mixer: Mixer?
      @inline(never) func reset() { mixer = nil }
    }
    let table = Table(), studio = Studio()
    @inline(never) func open() { let mixer = Mixer(); studio.mixer = mixer; table.add(mixer) }
    open()
    Thread.detachNewThread { dying.wait(); table.use(); taken.signal(); done.signal() }
    studio.reset()
    done.wait()
    print("end")
    """
  }

  private static let unsafe = """
    unowned(unsafe) var mixer: Mixer?
      @inline(never) func add(_ new: Mixer) { lock.withLock { mixer = new } }
      @inline(never) func use() { lock.lock(); defer { lock.unlock() }; mixer?.turn() }
    """
  private static let unmanaged = """
    var mixers: [Int: Unmanaged<Mixer>] = [:]
      @inline(never) func add(_ new: Mixer) { lock.withLock { mixers[1] = .passUnretained(new) } }
      @inline(never) func use() { look()?.turn() }
      @inline(never) func look() -> Mixer? {
        lock.lock()
        defer { lock.unlock() }
        return mixers[1]?.takeUnretainedValue()
      }
    """

  @Test(
    "Where the reference does not own the object, the finding names it and does not advise a lock",
    .timeLimit(.minutes(60)),
    arguments: ["-Onone", "-O"],
    [
      (unsafe, "Table.mixer, an unowned(unsafe) reference", "Make Table.mixer weak."),
      (
        unmanaged, "Table.mixers, an unmanaged reference",
        "Keep a weak reference in Table.mixers instead of an Unmanaged"
      ),
    ])
  func uncounted(_ level: String, _ expected: (members: String, reference: String, change: String)) throws {
    let program = try TestProgram(Self.table(expected.members), options: ["-g", level, "-module-name", "Race"])
    let finding = try #require(LifetimeRun(program, "Mixer#1").report.findings.first)
    #expect(finding.kind == "use-after-free" && finding.access == "retain")
    #expect(finding.explanation.first?.contains(" through \(expected.reference) ") == true)
    #expect(finding.suggestion?.hasPrefix(expected.change) == true)
  }
}
