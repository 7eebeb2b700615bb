import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(10))) struct EndOfProcessTests {
  static let source = """
    import Glibc
    final class Node { var value = 1 }
    var kept: [Node] = []
    for _ in 0..<1000 { kept.append(Node()) }
    kept.removeLast(400)
    print("made", kept.count)
    fflush(stdout)
    switch CommandLine.arguments[1] {
    case "return": break
    case "exit": exit(7)
    case "_exit": _exit(8)
    case "abort": abort()
    case "segv": UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = 1
    case "kill": kill(getpid(), SIGKILL)
    case "trap": fatalError("on purpose")
    default: break
    }
    """

  @Test(
    "However a program ends, it ends as without the probe, and its trace is whole",
    arguments: [("return", 0), ("exit", 7), ("_exit", 8), ("abort", 134), ("segv", 139), ("kill", 137), ("trap", 132)])
  func ends(_ how: String, _ status: Int32) throws {
    let run = try RecordedRun(try TestProgram(Self.source), [how])
    #expect(run.traced.status == status)
    #expect(run.traced.output == "made 600\n")
    #expect(run.traced.status == run.plain.status)
    #expect(run.traced.output == run.plain.output)
    let node = try #require(run.totals("Node"))
    #expect(node.allocated == 1000)
    // Top-level variables are never released; what was removed is gone in every case.
    #expect(node.freed == 400)
    #expect(run.summary.problems == [] && run.trace.problems == [])
    #expect(node.gaps == 0)
  }

  @Test("The Swift backtrace of a crash still appears")
  func backtrace() throws {
    let program = try TestProgram(Self.source)
    let result = try withTemporaryFolder { folder in
      try CommandResult.run(
        program.path, ["trap"],
        environment: [
          "LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/%p.lifeline",
          "SWIFT_BACKTRACE": "enable=yes,color=no",
        ], folder: folder)
    }
    #expect(result.errors.contains("Fatal error: on purpose"))
    #expect(result.errors.contains("Thread 0") && result.errors.contains("crashed"))
  }
}
