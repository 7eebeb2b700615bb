import LifelineTestSupport
import Testing

/// `leaks PID` and `why PID`, most of a process that is being recorded: the recorder's tables hold nothing.
@Suite(.startsPrograms, .serialized, .timeLimit(.minutes(60))) struct RecordedProcessLeaksTests {
  private static let program = Result {
    try TestProgram(
      #"""
      import Glibc
      final class Session { var onClose: (() -> Void)? }
      final class Kept { let number: Int; init(_ number: Int) { self.number = number } }
      nonisolated(unsafe) var kept: [Kept] = []

      @inline(never) func serve(_ count: Int) {
        for number in 0..<count {
          let session = Session()
          session.onClose = { _ = session }
          kept.append(Kept(number))
        }
      }

      print("\(getpid())\nready")
      fflush(stdout)
      while let line = readLine() {
        serve(100)
        print(line)
        fflush(stdout)
      }
      """#, options: ["-O"])
  }

  private func lifeline(_ arguments: [String], in folder: String) throws -> CommandResult {
    try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder, limit: .seconds(120))
  }

  private func leaks(_ running: AttachedProgram, in folder: String) throws -> Int {
    let result = try lifeline(["leaks", running.identifier], in: folder)
    #expect(result.status == 1, Comment(rawValue: result.errors))
    #expect(!result.output.contains("Kept"))
    return result.output.split(separator: " ").first.flatMap { Int($0) } ?? 0
  }

  @Test("Objects that leak while a process is recorded are found, during the recording and after it")
  func attached() throws {
    let program = try Self.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, in: folder)
      #expect(try lifeline(["attach", running.identifier, "--no-wait", "-o", "trace"], in: folder).status == 0)
      try running.say("first")
      try running.expect("first\n")
      // One may be in a register or in the stack frame of readLine.
      #expect(try leaks(running, in: folder) >= 99)
      let why = try lifeline(["why", running.identifier, "Kept"], in: folder)
      #expect(why.output.contains("kept"), Comment(rawValue: why.output))
      #expect(try lifeline(["detach", running.identifier], in: folder).status == 0)
      try running.say("second")
      try running.expect("second\n")
      #expect(try leaks(running, in: folder) >= 199)
      _ = try running.end()
    }
  }

  @Test(
    "So are those of a program that is recorded from its start",
    arguments: [["--depth", "lives"], ["--zombies"], ["--zombies", "--guard", "*"], ["--keep", "4MiB"]])
  func recorded(_ options: [String]) throws {
    let program = try Self.program.get()
    try withTemporaryFolder { folder in
      let words = ([BuiltPackage.lifeline, "record", "-q", "-o", "trace"] + options + ["--"]).map { "'\($0)'" }
      let running = try AttachedProgram(program, in: folder, command: words.joined(separator: " "))
      try running.say("first")
      try running.expect("first\n")
      let process = try #require(running.printed.split(separator: "\n").first)
      let result = try lifeline(["leaks", String(process)], in: folder)
      #expect(result.status == 1, Comment(rawValue: result.errors))
      #expect(result.output.split(separator: " ").first.flatMap { Int($0) } ?? 0 >= 99)
      #expect(!result.output.contains("Kept"))
      _ = try running.end()
    }
  }

  @Test("One object that nothing refers to is found if none of the program's functions is optimized")
  func single() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Page { var number = 1 }
      @inline(never) func lose() { _ = Unmanaged.passRetained(Page()) }
      // Nothing is left of it on the stack of a thread that has ended.
      var thread = pthread_t()
      pthread_create(&thread, nil, { _ in lose(); return nil }, nil)
      pthread_join(thread, nil)
      print("ready")
      fflush(stdout)
      _ = readLine()
      """, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, in: folder)
      let result = try lifeline(["leaks", running.identifier], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("  App.Page\n  its strong count is 1, but nothing refers to it\n"), "\(result)")
      #expect(result.errors.isEmpty, "\(result)")
      _ = try running.end()
    }
  }

  @Test("A second look finds what the first one did, though the kernel then continues the waits that it interrupted")
  func twice() throws {
    let program = try TestProgram(
      """
      import Dispatch
      import Glibc
      final class Report { var pages: [Page] = [] }
      final class Page { var report: Report? }
      let done = DispatchGroup()
      for _ in 0..<6 {
        DispatchQueue.global().async(group: done) {
          let report = Report(), page = Page()
          page.report = report
          report.pages.append(page)
          usleep(1_000)
        }
      }
      done.wait()
      print("ready")
      fflush(stdout)
      _ = readLine()
      """, options: ["-Onone"])
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, in: folder)
      try running.expect("ready\n")
      // The workers wait for more work for five seconds.
      let counts = try (0..<3).map { _ in
        try lifeline(["leaks", running.identifier], in: folder).output.split(separator: " ").first.flatMap { Int($0) }
      }
      #expect(counts == [6, 6, 6])
      _ = try running.end()
    }
  }
}
