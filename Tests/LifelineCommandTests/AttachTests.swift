import Foundation
import LifelineReporting
import LifelineTestSupport
import LifelineTrace
import Testing

/// `lifeline attach` and `lifeline detach`: recording processes that already run.
@Suite(.startsPrograms, .serialized, .timeLimit(.minutes(60))) struct AttachTests {
  private func lifeline(_ arguments: [String], in folder: String) throws -> CommandResult {
    try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder, limit: .seconds(120))
  }

  private func report(_ trace: String, in folder: String) throws -> Report {
    let result = try lifeline(["report", "--format", "json", trace], in: folder)
    #expect(try JSONSchema(published: "report-1").problems(result.output) == [])
    return try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
  }

  /// `Scripts/prove-attach` tries five more kinds.
  @Test(
    "A program that is attached to and detached from twice behaves as usual",
    arguments: ["idle", "busy", "malloc", "dispatch", "tasks"])
  func transparent(_ sort: String) throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, [sort], in: folder)
      for (trace, options) in [("first.lifeline", []), ("second.lifeline", ["--depth", "lives", "--only", "Node"])] {
        let attach = try lifeline(["attach", running.identifier, "--no-wait", "-o", trace] + options, in: folder)
        #expect(
          attach.errors
            == "lifeline: recording process \(running.identifier) into \(trace); "
            + "'lifeline detach \(running.identifier)' ends it\n"
        )
        #expect(attach.status == 0)
        if sort == "idle" {
          try running.say(trace)
          try running.expect("\(trace): 499500\n")
        }
        let detach = try lifeline(["detach", running.identifier], in: folder)
        #expect(detach.errors.contains(" in \(trace) ("), Comment(rawValue: detach.errors))
        #expect(detach.status == 0)
        let recording = try Recording.read(path: "\(folder)/\(trace)")
        #expect(recording.end == .detached && recording.state == .ended && recording.stopReason == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(trace)")[.posixPermissions] as? Int
        #expect(mode == 0o600)
      }
      let lines = sort == "idle" ? "first.lifeline: 499500\nsecond.lifeline: 499500\n" : ""
      #expect(
        try running.end() == CommandResult(output: "ready\n\(lines)\(sort): worked, []\n", errors: "", status: 7))
    }
  }

  @Test("A program that never stops allocating and freeing survives its first attach, whatever is recorded")
  func first() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      for (index, options) in [
        [], ["--sample", "1/64"], ["--sample", "1/8", "--depth", "lives"], ["--sample", "1/2"], ["--depth", "lives"],
      ].enumerated() {
        let running = try AttachedProgram(program, ["arrays"], in: folder)
        let attach = try lifeline(
          ["attach", running.identifier, "--no-wait", "-q", "-o", "\(index).lifeline"] + options, in: folder)
        #expect(attach.status == 0, "\(options): \(attach.errors)")
        let end = try running.end()
        #expect(end == CommandResult(output: "ready\narrays: worked, []\n", errors: "", status: 7), "\(options)")
      }
    }
  }

  @Test("After detaching, code, descriptors, threads and handled signals are unchanged")
  func afterwards() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, ["waits"], in: folder)
      let before = try ProcessImprint(running.process.identifier)
      for trace in ["first.lifeline", "second.lifeline"] {
        #expect(try lifeline(["attach", running.identifier, "--no-wait", "-q", "-o", trace], in: folder).status == 0)
        #expect(try ProcessImprint(running.process.identifier).code != before.code)
        #expect(try lifeline(["detach", running.identifier, "-q"], in: folder).status == 0)
        let after = try ProcessImprint(running.process.identifier)
        for (file, bytes) in before.code { #expect(after.code[file] == bytes, "\(file)") }
        #expect(after.descriptors == before.descriptors)
        #expect(after.threads == before.threads)
        #expect(after.signals == before.signals)
      }
      #expect(try running.end() == CommandResult(output: "ready\nwaits: worked, []\n", errors: "", status: 7))
    }
  }

  private static let keeper = """
    final class Kept { let number: Int; init(_ number: Int) { self.number = number } }
    final class Fresh { let kept: Kept; init(_ kept: Kept) { self.kept = kept } }
    let all = (1...3).map(Kept.init)
    var last: Fresh?
    setvbuf(stdout, nil, _IOLBF, 0)
    print("ready")
    while let line = readLine() {
      last = Fresh(all[Int(line)!])
      print(last!.kept.number)
    }
    """

  @Test("Objects older than the recording are known by class and count, and nothing is called clean")
  func older() throws {
    let program = try TestProgram("import Glibc\n" + Self.keeper)
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, in: folder)
      #expect(try lifeline(["attach", running.identifier, "--no-wait", "-o", "t.lifeline"], in: folder).status == 0)
      for line in ["0", "1", "0"] { try running.say(line) }
      try running.expect("1\n2\n1\n")
      #expect(try lifeline(["detach", running.identifier], in: folder).status == 0)
      #expect(try running.end() == CommandResult(output: "ready\n1\n2\n1\n", errors: "", status: 0))

      let report = try report("t.lifeline", in: folder)
      let kept = try #require(report.classes.first { $0.name.hasSuffix(".Kept") })
      #expect(kept.older == 2 && kept.allocated == 0 && kept.liveAtExit == 2 && kept.countGaps == 0)
      let fresh = try #require(report.classes.first { $0.name.hasSuffix(".Fresh") })
      #expect(fresh.allocated == 3 && fresh.older == nil && fresh.liveAtExit == 1)
      #expect(report.verdict == "none" && report.findings.isEmpty && report.program.isDetached == true)
      let reason = try #require(report.noVerdictReason)
      #expect(reason.hasPrefix("The recording began ") && reason.hasSuffix("what happened outside of it is unknown."))
      #expect(report.recording.remarks.contains { $0.contains("2 older objects were used") })

      let text = try lifeline(["report", "t.lifeline"], in: folder).output
      #expect(text.contains("\nLive at the end of the recording") && !text.contains("exit"), Comment(rawValue: text))

      let trace = try Trace(path: "\(folder)/t.lifeline")
      let address = try #require(trace.tables.olderObjects.keys.min())
      let history = try lifeline(["history", "t.lifeline", "Kept@0x\(String(address, radix: 16))"], in: folder)
      #expect(history.status == 0)
      #expect(history.output.contains("Kept@0x\(String(address, radix: 16))"), Comment(rawValue: history.output))
      for verb in ["check", "leaks", "objects", "profile"] {
        let result = try lifeline([verb, "t.lifeline"], in: folder)
        #expect(result.status == (verb == "check" || verb == "leaks" ? 3 : 0), "\(verb): \(result.errors)")
      }
    }
  }

  /// Without an event of its own place in the code, its class was that of a later object at its address.
  @Test(
    "Objects that are older than the recording are counted in their class when they are freed",
    arguments: ["full", "lives"])
  func olderEnds(_ depth: String) throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Kept { var number = 1 }
      final class Later { var number = 2 }
      var all = (0..<100).map { _ in Kept() }
      var others: [Later] = []
      setvbuf(stdout, nil, _IOLBF, 0)
      print("ready")
      while readLine() != nil {
        for round in 0..<50 { all.removeLast(); others.append(Later()); if round % 2 == 0 { others.removeFirst() } }
        print(all.count)
      }
      """)
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, in: folder)
      let attach = ["attach", running.identifier, "--no-wait", "-q", "--depth", depth, "-o", "t.lifeline"]
      #expect(try lifeline(attach, in: folder).status == 0)
      try running.say("")
      try running.expect("50\n")
      #expect(try lifeline(["detach", running.identifier, "-q"], in: folder).status == 0)
      #expect(try running.end().output == "ready\n50\n")
      let classes = try report("t.lifeline", in: folder).classes
      let kept = try #require(classes.first { $0.name.hasSuffix(".Kept") })
      #expect(kept.older == 50 && kept.allocated == 0 && kept.liveAtExit == 0)
      let later = try #require(classes.first { $0.name.hasSuffix(".Later") })
      #expect(later.older == nil && later.allocated == 50 && later.liveAtExit == 25)
    }
  }

  @Test("A process without free memory near the runtime cannot be recorded, which is said, and keeps running")
  func noRoom() throws {
    let program = try TestProgram(
      """
      import Glibc
      let entry = UInt(bitPattern: dlsym(nil, "swift_retain"))
      let low = (entry - 0x8800_0000) & ~4095, high = (entry + 0x8800_0000) & ~4095
      func fill(_ from: UInt, _ to: UInt) {
        guard from < to else { return }
        let fixed: Int32 = 0x10_0000  // MAP_FIXED_NOREPLACE
        _ = mmap(
          UnsafeMutableRawPointer(bitPattern: from), Int(to - from), PROT_NONE,
          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0)
      }
      var used: [(start: UInt, end: UInt)] = []
      let maps = fopen("/proc/self/maps", "r")!
      var line = [CChar](repeating: 0, count: 8192)
      while fgets(&line, 8192, maps) != nil {
        let bounds = String(cString: line).prefix { $0 != " " }.split(separator: "-").map { UInt($0, radix: 16)! }
        used.append((bounds[0], bounds[1]))
      }
      fclose(maps)
      var next = low
      for range in used where range.end > low && range.start < high {
        fill(next, range.start)
        next = max(next, range.end)
      }
      fill(next, high)
      setvbuf(stdout, nil, _IOLBF, 0)
      print("ready")
      while let line = readLine() { print(line) }
      """)
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, [], in: folder)
      let result = try lifeline(["attach", running.identifier, "--no-wait", "-q", "-o", "t.lifeline"], in: folder)
      let sentence =
        "lifeline: Process \(running.identifier) cannot be recorded: there is no free memory within reach of the Swift "
        + "runtime's entry points.\n"
      #expect(result == CommandResult(output: "", errors: sentence, status: 2))
      #expect(try running.end() == CommandResult(output: "ready\n", errors: "", status: 0))
    }
  }

  @Test("A process that cannot be attached to is named with the reason and keeps running")
  func refusals() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, ["busy"], in: folder)
      let number = running.identifier
      func refuse(_ arguments: [String], _ status: Int32, _ sentence: String) throws {
        let result = try lifeline(arguments, in: folder)
        #expect(result == CommandResult(output: "", errors: "lifeline: \(sentence)\n", status: status))
      }
      try refuse(["detach", number], 2, "Process \(number) is not being recorded.")
      try refuse(["attach", "4194303"], 2, "There is no process 4194303.")
      let other = try TestProcess("/bin/sleep", ["60"], limit: .seconds(60))
      let sleep =
        "Process \(other.identifier) (\(try Self.program(of: other))) is not a Swift program: it has no Swift runtime."
      try refuse(["attach", "\(other.identifier)"], 3, sleep)
      try refuse(["detach", "\(other.identifier)"], 3, sleep)
      other.send(SIGKILL)
      _ = try other.wait()
      let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(number)/task")
      let thread = try #require(threads.first { $0 != number })
      try refuse(["attach", thread], 2, "\(thread) is a thread of process \(number); name the process.")
      running.process.send(SIGSTOP)
      usleep(100_000)
      try refuse(
        ["attach", number], 2, "Process \(number) is stopped; continue it with 'kill -CONT \(number)' first.")
      running.process.send(SIGCONT)
      try "words".write(toFile: "\(folder)/words", atomically: true, encoding: .utf8)
      try refuse(
        ["attach", number, "-f", "-o", "words"], 2,
        "The file \(folder)/words already exists and is not a trace; choose another with --output.")
      try FileManager.default.createSymbolicLink(atPath: "\(folder)/link", withDestinationPath: "\(folder)/words")
      try refuse(
        ["attach", number, "-f", "-o", "link"], 2, "\(folder)/link is a symbolic link; choose another file.")
      #expect(try lifeline(["attach", number, "--no-wait", "-q", "-o", "t.lifeline"], in: folder).status == 0)
      try refuse(
        ["attach", number], 2, "Process \(number) is already being recorded, into \(folder)/t.lifeline.")
      #expect(try lifeline(["detach", number, "-q"], in: folder).status == 0)
      #expect(try String(contentsOfFile: "\(folder)/words", encoding: .utf8) == "words")
      #expect(try running.end() == CommandResult(output: "ready\nbusy: worked, []\n", errors: "", status: 7))
    }
  }

  @Test("A process whose main thread alone has ended is not said to have ended")
  func withoutMainThread() throws {
    let program = try TestProgram(
      """
      import Foundation
      final class Item {}
      Thread.detachNewThread {
        setvbuf(stdout, nil, _IOLBF, 0)
        func status() -> String { (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "" }
        while !status().contains("State:\\tZ") { usleep(1000) }
        print("ready")
        while let line = readLine() { print(line, Item()) }
        exit(0)
      }
      pthread_exit(nil)
      """)
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, [], in: folder)
      let result = try lifeline(["attach", running.identifier], in: folder)
      let sentence =
        "lifeline: The main thread of process \(running.identifier) has ended, and lifeline needs it to attach.\n"
      #expect(result == CommandResult(output: "", errors: sentence, status: 2))
      #expect(try running.end() == CommandResult(output: "ready\n", errors: "", status: 0))
    }
  }

  private static func program(of process: TestProcess) throws -> String {
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process.identifier)/exe")
  }

  @Test("A process recorded from its start is left alone")
  func recordedAlready() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(
        program, ["idle"], in: folder,
        command: "LD_PRELOAD='\(BuiltPackage.preloadableProbe)' LIFELINE_OPTIONS='output=\(folder)/t.lifeline' exec")
      let attach = try lifeline(["attach", running.identifier], in: folder)
      #expect(
        attach.errors
          == "lifeline: Process \(running.identifier) is already being recorded, into \(folder)/t.lifeline.\n")
      #expect(attach.status == 2)
      let detach = try lifeline(["detach", running.identifier], in: folder)
      #expect(
        detach.errors
          == "lifeline: Process \(running.identifier) is recorded from its start on, by 'lifeline record' or by "
          + "itself; that ends when it ends.\n"
      )
      #expect(detach.status == 2)
      #expect(try running.end() == CommandResult(output: "ready\nidle: worked, []\n", errors: "", status: 7))
      #expect(try Recording.read(path: "\(folder)/t.lifeline").end == .exit(7))
    }
  }

  @Test(
    "Killing lifeline while it attaches leaves the process unchanged or recorded", arguments: [20, 60, 120])
  func killed(_ milliseconds: UInt32) throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, ["tasks"], in: folder)
      for turn in 0..<2 {
        let attaching = try TestProcess(
          BuiltPackage.lifeline, ["attach", running.identifier, "--no-wait", "-q", "-o", "\(folder)/\(turn).lifeline"],
          limit: .seconds(60))
        usleep(milliseconds * 1000 + UInt32(turn) * 15_000)
        attaching.send(SIGKILL)
        _ = try attaching.wait()
        // An attach already begun in the process may still be running, and ends.
        for _ in 0..<50 {
          let detach = try lifeline(["detach", running.identifier], in: folder)
          if detach.status == 0 || detach.errors.contains("not being recorded") { break }
          usleep(500_000)
        }
      }
      #expect(
        try lifeline(["attach", running.identifier, "--no-wait", "-q", "-o", "t.lifeline"], in: folder).status == 0)
      #expect(try lifeline(["detach", running.identifier, "-q"], in: folder).status == 0)
      #expect(try running.end() == CommandResult(output: "ready\ntasks: worked, []\n", errors: "", status: 7))
    }
  }

  @Test("--duration, an interrupt or the end of the process ends the recording")
  func waits() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, ["dispatch"], in: folder)
      let timed = try lifeline(
        ["record", "--pid", running.identifier, "-q", "-o", "none.lifeline", "--zombies"], in: folder)
      #expect(timed.status == 64)
      let short = try lifeline(
        ["attach", running.identifier, "--duration", "300ms", "-o", "short.lifeline"], in: folder)
      #expect(short.status == 0 && short.errors.contains(" in short.lifeline ("))
      #expect(try Recording.read(path: "\(folder)/short.lifeline").end == .detached)

      func attach(_ trace: String) throws -> TestProcess {
        let attaching = try TestProcess(
          BuiltPackage.lifeline, ["attach", running.identifier, "--wait", "-q", "-o", "\(folder)/\(trace)"],
          limit: .seconds(60))
        for _ in 0..<3000 where (try? Recording.read(path: "\(folder)/\(trace)"))?.state != .recording {
          usleep(10_000)
        }
        return attaching
      }
      let interrupted = try attach("interrupted.lifeline")
      interrupted.send(SIGINT)
      #expect(try interrupted.wait() == 0)
      #expect(try Recording.read(path: "\(folder)/interrupted.lifeline").end == .detached)
      let whole = try attach("whole.lifeline")
      #expect(try running.end() == CommandResult(output: "ready\ndispatch: worked, []\n", errors: "", status: 7))
      #expect(try whole.wait() == 0)
      #expect(try Recording.read(path: "\(folder)/whole.lifeline").end == .exit(7))
    }
  }

  @Test("A trace that cannot grow ends the recording, not the process")
  func limited() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, ["busy"], in: folder, command: "ulimit -f 3000; exec")
      let attach = try lifeline(["attach", running.identifier, "--wait", "-q", "-o", "t.lifeline"], in: folder)
      #expect(
        attach.errors
          == "lifeline: the recording stopped early: the file size limit (ulimit -f) was reached\n"
      )
      #expect(attach.status == 2)
      #expect(
        try lifeline(
          ["attach", running.identifier, "--no-wait", "-q", "-o", "next.lifeline", "--only", "None"], in: folder
        ).status == 0)
      #expect(try lifeline(["detach", running.identifier, "-q"], in: folder).status == 0)
      #expect(try running.end() == CommandResult(output: "ready\nbusy: worked, []\n", errors: "", status: 7))
    }
  }
}
