import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct EndOfProcessTests {
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
    "However a program ends, its output and status are those without the probe, and its trace is complete",
    arguments: [("return", 0), ("exit", 7), ("_exit", 8), ("abort", 134), ("segv", 139), ("kill", 137), ("trap", 132)])
  func ends(_ how: String, _ status: Int32) throws {
    let run = try RecordedRun(try TestProgram(Self.source), [how])
    #expect(run.traced.status == status)
    #expect(run.traced.output == "made 600\n")
    #expect(run.traced.status == run.plain.status)
    #expect(run.traced.output == run.plain.output)
    let node = try #require(run.totals("Node"))
    #expect(node.allocated == 1000)
    // Top-level variables are never released; the removed objects are freed in every case.
    #expect(node.freed == 400)
    #expect(run.summary.problems == [] && run.trace.problems == [])
    #expect(node.gaps == 0)
  }

  static let endings = """
    import Glibc
    final class Node { var value = 1 }
    var kept: [Node] = []
    for _ in 0..<10 { kept.append(Node()) }
    func run(_ program: String, _ arguments: [String]) {
      var words = ([program] + arguments).map { strdup($0) } + [nil]
      execvp(program, &words)
    }
    func end(_ how: String) {
      switch how {
      case "exit": exit(7)
      case "thread":
        var thread = pthread_t()
        pthread_create(&thread, nil, { _ in exit(9) }, nil)
        pthread_join(thread, nil)
      case "_exit": _exit(8)
      case "quick_exit": quick_exit(11)
      case "exec": run("true", [])
      case "no exec": run("/no/such/program", [])
      case "kill": kill(getpid(), SIGKILL)
      default: break
      }
    }
    typealias Fork = @convention(c) () -> pid_t
    let fork = unsafeBitCast(dlsym(nil, "fork")!, to: Fork.self)
    let child = fork()
    if child == 0 {
      kept.append(Node())
      end(CommandLine.arguments[1])
      exit(3)
    }
    var status: Int32 = 0
    waitpid(child, &status, 0)
    """

  @Test(
    "A process that Lifeline does not wait for records how it ended, unless a signal killed it",
    .timeLimit(.minutes(60)),
    arguments: [
      ("return", Recording.End.exit(3)), ("exit", .exit(7)), ("thread", .exit(9)), ("_exit", .exit(8)),
      ("quick_exit", .exit(11)),
      ("exec", .replaced), ("no exec", .exit(3)), ("kill", .unknown),
    ])
  func childEnds(_ how: String, _ end: Recording.End) throws {
    let program = try TestProgram(Self.endings)
    try withTemporaryFolder { folder in
      _ = try CommandResult.run(
        program.path, [how],
        environment: ["LD_PRELOAD": BuiltPackage.preloadableProbe, "LIFELINE_OPTIONS": "output=\(folder)/%p.lifeline"],
        folder: folder)
      let recordings = try FileManager.default.contentsOfDirectory(atPath: folder).map {
        try Recording.read(path: "\(folder)/\($0)")
      }
      try #require(recordings.count == 2)
      let parent = try #require(recordings.first { first in recordings.contains { $0.parent == first.process } })
      let child = try #require(recordings.first { $0.parent == parent.process })
      #expect(parent.end == .exit(0))
      #expect(child.end == end)
    }
  }

  @Test("The Swift runtime still prints a backtrace when the program crashes")
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
