import Foundation
import LifelineTestSupport
import LifelineTrace
import Testing

/// Recordings that a signal to the program begins and ends (`record --toggle`).
@Suite(.startsPrograms, .serialized, .timeLimit(.minutes(60))) struct ToggleTests {
  private static let source = """
    import Dispatch
    import Foundation
    final class Node { let value: Int; var next: Node?; init(_ value: Int) { self.value = value } }
    @inline(never) func sum() -> Int {
      var total = 0
      var last: Node?
      for value in 0..<1000 {
        let node = Node(value)
        node.next = value % 10 == 0 ? nil : last
        last = node
        total += node.value
      }
      return total
    }
    for _ in 0..<4 { Thread.detachNewThread { while true { if sum() != 499_500 { fatalError("wrong") } } } }
    setvbuf(stdout, nil, _IOLBF, 0)
    print("ready")
    while let line = readLine() { print("\\(line): \\(sum())") }
    """

  private func wait(_ what: String, until isTrue: () throws -> Bool) throws {
    for _ in 0..<6000 {
      if try isTrue() { return }
      usleep(10_000)
    }
    throw TestProcessError("\(what) did not happen in a minute")
  }

  /// Whether a trace has an event of the program's own.
  private func hasEvents(_ path: String) -> Bool {
    guard let reader = (try? Trace(path: path))?.events() else { return false }
    var event = Event()
    return (try? reader.next(&event)) ?? false
  }

  private func end(of path: String) -> Recording.End? { (try? Recording.read(path: path))?.end }

  @Test("A signal begins a recording and the next one ends it, as often as wanted, and leaves nothing")
  func often() throws {
    let program = try TestProgram(Self.source, options: ["-O"])
    try withTemporaryFolder { folder in
      let options = "LIFELINE_OPTIONS=toggle=USR1:output=t.lifeline LD_PRELOAD='\(BuiltPackage.preloadableProbe)'"
      let running = try AttachedProgram(program, in: folder, command: "\(options) exec")
      let process = running.process.identifier
      let before = try ProcessImprint(process)
      let first = "\(folder)/t.lifeline"
      for trace in [first, "\(first).\(process)"] {
        #expect(!FileManager.default.fileExists(atPath: trace))
        kill(process, SIGUSR1)
        try wait("the recording \(trace)") { hasEvents(trace) }
        #expect(try ProcessImprint(process).code != before.code)
        try running.say("while recording")
        try running.expect("while recording: 499500\n")
        kill(process, SIGUSR1)
        try wait("the end of \(trace)") { end(of: trace) == .detached }
        try wait("the end of its descriptor") {
          try ProcessImprint(process).descriptors == before.descriptors
        }
        let after = try ProcessImprint(process)
        for (file, bytes) in before.code { #expect(after.code[file] == bytes, "\(file)") }
        #expect(after.threads == before.threads)
        #expect(after.signals == before.signals)
      }
      kill(process, SIGUSR1)
      let last = "\(first).\(process).2"
      try wait("the recording \(last)") { hasEvents(last) }
      #expect(
        try running.end()
          == CommandResult(
            output: "ready\nwhile recording: 499500\nwhile recording: 499500\n", errors: "", status: 0))
      for trace in [first, "\(first).\(process)", last] {
        let recording = try Recording.read(path: trace)
        #expect(recording.age != nil && recording.stopReason == 0 && !recording.hasZombies)
        #expect(recording.end == (trace == last ? .exit(0) : .detached))
      }
    }
  }

  @Test("lifeline record passes the signal on, and names all traces")
  func passedOn() throws {
    let program = try TestProgram(Self.source, options: ["-O"])
    try withTemporaryFolder { folder in
      let command = "exec '\(BuiltPackage.lifeline)' record --toggle USR2 -o t.lifeline --"
      let running = try AttachedProgram(program, in: folder, command: command)
      kill(running.process.identifier, SIGUSR2)
      let first = "\(folder)/t.lifeline"
      try wait("the recording \(first)") { hasEvents(first) }
      let process = try Recording.read(path: first).process
      kill(running.process.identifier, SIGUSR2)
      try wait("the end of \(first)") { end(of: first) == .detached }
      kill(running.process.identifier, SIGUSR2)
      let second = "\(first).\(process)"
      try wait("the recording \(second)") { hasEvents(second) }
      let result = try running.end()
      #expect(result.status == 0 && result.output == "ready\n", "\(result)")
      #expect(result.errors.contains(" in t.lifeline.\(process) ("), "\(result)")
      #expect(result.errors.contains("\nlifeline: also recorded earlier: t.lifeline\n"), "\(result)")
      #expect(end(of: first) == .detached && end(of: second) == .exit(0))
      let report = try CommandResult.run(BuiltPackage.lifeline, ["report", first], folder: folder)
      #expect(
        report.output.contains(#/Verdict: no verdict: The recording began .* s after the process did, and ended /#))
      let last = try CommandResult.run(BuiltPackage.lifeline, ["report", second], folder: folder)
      #expect(last.output.contains(#/ exited with status 0, recorded for /#), "\(last)")
      let leaks = try CommandResult.run(BuiltPackage.lifeline, ["leaks", second], folder: folder)
      #expect(leaks.status == 3)
      #expect(leaks.errors.contains("the memory of a process whose recording began later is not examined"), "\(leaks)")
    }
  }

  @Test("Without the signal nothing is recorded, and the answer says how to begin")
  func never() throws {
    let program = try TestProgram("final class A {}\nprint(A() === A())")
    try withTemporaryFolder { folder in
      let run = try CommandResult.run(
        BuiltPackage.lifeline, ["record", "--toggle", "USR1", "--", program.path], folder: folder)
      #expect(
        run
          == CommandResult(
            output: "false\n",
            errors: "lifeline: nothing was recorded. No Swift process got SIGUSR1, or it handles that signal itself; "
              + "'kill -USR1 PID' begins a recording.\n", status: 0))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      let other = try CommandResult.run(
        BuiltPackage.lifeline, ["record", "-q", "-o", "t", "--", program.path],
        environment: ["LIFELINE_OPTIONS": "toggle=USR1"], folder: folder)
      #expect(other.status == 0 && hasEvents("\(folder)/t"), "\(other)")
    }
  }

  @Test(
    "What such a recording cannot have is refused",
    arguments: [
      (["--zombies", "--", "true"], "Zombies and guard pages stay in a process as long as its objects do"),
      (["--keep", "60s", "--", "true"], "--keep and --max-overhead are available only for recordings that begin with"),
      (["--pid", "1"], "--toggle is for programs that 'record' starts."),
    ])
  func refused(_ arguments: [String], _ sentence: String) throws {
    let result = try CommandResult.run(BuiltPackage.lifeline, ["record", "--toggle", "USR1"] + arguments)
    #expect(result.status == 64 && result.errors.contains(sentence), "\(result)")
  }
}
