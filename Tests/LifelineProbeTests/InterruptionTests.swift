import Glibc
import LifelineTestSupport
import LifelineTrace
import Testing

/// Times of events after a thread was off its processor.
@Suite("Interruptions", .startsPrograms, .timeLimit(.minutes(60)))
struct InterruptionTests {
  /// Whether the C library has the kernel tell: since glibc 2.35, unless switched off.
  private static let isTold =
    dlsym(nil, "__rseq_size").map { $0.load(as: UInt32.self) >= 20 } ?? false

  private static let source = """
    import Glibc
    final class Sample { var value = 0 }
    nonisolated(unsafe) var kept: [Sample] = []
    for _ in 0..<4 {
      kept.append(Sample())
      usleep(50_000)
    }
    print(kept.count)
    """

  @Test(
    "The first event after a wait has a time of its own, if the kernel tells of waits",
    arguments: ["", "depth=lives", "depth=lives:zombies=1"])
  func wait(options: String) throws {
    let run = try RecordedRun(try TestProgram(Self.source, options: ["-Onone"]), options: options)
    #expect(run.behavesTheSame && run.trace.problems == [])
    let samples = run.summary.tracker.liveObjects.filter {
      run.summary.tracker.id(of: $0).className.hasSuffix(".Sample")
    }
    let times = samples.map { run.trace.recording.nanoseconds(at: $0.allocationClock) }
    #expect(times.count == 4)
    // The clock's rate is measured, so 50 ms may read as a little less.
    let hasWaited = zip(times, times.dropFirst()).allSatisfy { $1 - $0 >= 45_000_000 }
    if Self.isTold { #expect(hasWaited, "\(times)") }
  }

  @Test("A program is recorded whether or not its threads have restartable sequences")
  func withoutSequences() throws {
    let program = try TestProgram(Self.source, options: ["-Onone"])
    for tunables in ["glibc.pthread.rseq=0", "glibc.pthread.rseq=1"] {
      try withTemporaryFolder { folder in
        let result = try CommandResult.run(
          BuiltPackage.lifeline, ["record", "-q", "-o", "t.lifeline", "--", program.path],
          environment: ["GLIBC_TUNABLES": tunables], folder: folder)
        #expect(result == CommandResult(output: "4\n", errors: "", status: 0))
        #expect(try Trace(path: "\(folder)/t.lifeline").problems == [])
      }
    }
  }
}
