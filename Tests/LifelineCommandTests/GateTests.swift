import Foundation
import LifelineTestSupport
import LifelineTraceBuilder
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct GateTests {
  /// Each argument selects one bug.
  static let source = """
    import Glibc
    final class Session { var number = 5; func ping() -> Int { number } }
    final class Cache { var entries = 7; func count() -> Int { entries } }
    @inline(never) func lostSession() -> Unmanaged<Session> { Unmanaged.passUnretained(Session()) }
    @inline(never) func lostCache() -> Unmanaged<Cache> { Unmanaged.passUnretained(Cache()) }
    @inline(never) func useSession() { print(lostSession().takeUnretainedValue().ping()) }
    @inline(never) func useCache() { print(lostCache().takeUnretainedValue().count()) }
    @inline(never) func sound() { let session = Session(); print(session.ping()) }
    sound()
    if CommandLine.arguments.contains("session") { useSession() }
    if CommandLine.arguments.contains("cache") { useCache() }
    exit(CommandLine.arguments.contains("fail") ? 9 : 0)
    """

  private func check(_ options: [String], _ bugs: [String], in folder: String) throws -> CommandResult {
    let program = try TestProgram(Self.source, options: ["-g", "-Onone", "-module-name", "App"])
    return try lifeline(["check"] + options + ["--", program.path] + bugs, in: folder)
  }

  private func verdict(_ result: CommandResult) -> String? {
    result.output.split(separator: "\n").first { $0.hasPrefix("Verdict: ") }.map(String.init)
  }

  @Test("With a baseline, known findings pass, a new one fails, and a missing one is reported as fixed")
  func baseline() throws {
    try withTemporaryFolder { folder in
      try #expect(check([], ["session"], in: folder).status == 1)
      let missing = try check(["--baseline", "known"], ["session"], in: folder)
      #expect(missing.status == 2)
      #expect(missing.errors == "lifeline: There is no file known. --update-baseline creates it.\n")
      let created = try check(["--baseline", "known", "--update-baseline"], ["session"], in: folder)
      #expect(created.status == 0)
      #expect(created.errors.hasSuffix("lifeline: wrote 1 finding to the baseline known\n"))
      let known = try check(["--baseline", "known"], ["session"], in: folder)
      #expect(known.status == 0 && verdict(known) == "Verdict: clean (1 known)")
      #expect(known.output.contains("Known from the baseline\n  use-after-free   Session#2 was "))
      let new = try check(["--baseline", "known"], ["session", "cache"], in: folder)
      #expect(new.status == 1 && verdict(new) == "Verdict: 1 finding")
      #expect(new.output.contains("\nerror: use-after-free   Cache#1 was "))
      let fixed = try check(["--baseline", "known"], [], in: folder)
      #expect(fixed.status == 0)
      #expect(
        fixed.output.contains("Fixed since the baseline\n  ") && fixed.output.contains(" use-after-free App.Session\n"))
      try #expect(
        check(["--baseline", "known"], ["session", "fail"], in: folder).status == 9, "the program's own status")
    }
  }

  @Test("What a run could not have shown is not reported as fixed, and stays in the baseline")
  func unseen() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Node { var next: Node? }
      final class Other { var number = 1 }
      @inline(never) func lose() { let node = Node(); node.next = node }
      lose()
      print(Other().number)
      if CommandLine.arguments.contains("_exit") { _exit(0) }
      if CommandLine.arguments.contains("killed") { raise(SIGTERM) }
      """, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      func check(_ options: [String], _ arguments: [String]) throws -> CommandResult {
        try lifeline(["check", "--baseline", "known"] + options + ["--", program.path] + arguments, in: folder)
      }
      #expect(try check(["--update-baseline"], []).status == 0)
      let known = try String(contentsOfFile: "\(folder)/known", encoding: .utf8)
      #expect(known.hasSuffix(" leak App.Node\n"))
      for (options, arguments, status) in [
        ([], ["_exit"], 0), ([], ["killed"], 143), (["--only", "Other"], [], 0),
      ] as [([String], [String], Int32)] {
        let run = try check(options, arguments)
        #expect(run.status == status && !run.output.contains("Fixed"), "\(run)")
        _ = try check(options + ["--update-baseline"], arguments)
        #expect(try String(contentsOfFile: "\(folder)/known", encoding: .utf8) == known)
      }
    }
  }

  @Test("A trace of a crash has the program's status, and uses of freed objects were not looked for without zombies")
  func crash() throws {
    let program = try TestProgram(
      "final class Node { var number = 1 }\nprint(Node().number)\nfatalError(\"end\")",
      options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let record = try CommandResult.run(
        BuiltPackage.lifeline, ["record", "-q", "-o", "t.lifeline", program.path],
        environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
      #expect(record.status > 128)
      let checked = try lifeline(["check", "t.lifeline"], in: folder)
      #expect(checked.status == record.status)
      #expect(verdict(checked) == "Verdict: clean (leaks and uses of freed objects were not looked for)")
      #expect(
        checked.output.contains(
          "The program crashed, and uses of freed objects were not looked for: use 'lifeline check' or --zombies."))
      let asked = try lifeline(["check", "--fail-on", "use-after-free", "t.lifeline"], in: folder)
      #expect(asked.status == 3)
      #expect(
        verdict(asked)
          == "Verdict: no verdict: Uses of freed objects were not looked for: record with --zombies, or check the "
          + "program itself.")
    }
  }

  @Test("A suppressed finding passes with its reason, and a suppression that matches nothing is reported")
  func suppressions() throws {
    try withTemporaryFolder { folder in
      try "use-after-free:useSession # issue 12\nleak:Gone # old\n".write(
        toFile: "\(folder)/s", atomically: true, encoding: .utf8)
      let result = try check(["--suppressions", "s"], ["session"], in: folder)
      #expect(result.status == 0 && verdict(result) == "Verdict: clean (1 suppressed)")
      #expect(
        result.output.contains("(issue 12)")
          && result.output.contains("Suppressions that matched nothing\n  leak:Gone\n"))
      try #expect(check(["--suppressions", "s"], ["session", "cache"], in: folder).status == 1)
      try "leak:Gone\n".write(toFile: "\(folder)/s", atomically: true, encoding: .utf8)
      let bad = try check(["--suppressions", "s"], [], in: folder)
      #expect(bad.status == 2 && bad.output == "")
      #expect(bad.errors == "lifeline: s:1: the suppression leak:Gone gives no reason; write it after '#'.\n")
    }
  }

  @Test("Recording options given with a trace are reported as having no effect")
  func options() throws {
    let program = try TestProgram("final class Node {}\nprint(Node())", options: ["-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      let result = try lifeline(["check", "-o", "report.txt", "--only", "Node", "--depth", "lives", "t"], in: folder)
      #expect(result.status == 0 && result.output.contains("Verdict: clean"))
      #expect(
        result.errors == """
          lifeline: --output, --only and --depth apply to recordings and have no effect here: nothing is recorded. \
          Use --report to name a file for the report.

          """)
      let leaks = try lifeline(["leaks", "--frames", "3", "t"], in: folder)
      #expect(leaks.errors == "lifeline: --frames applies to recordings and has no effect here: nothing is recorded.\n")
      #expect(leaks.status == 0 && leaks.output.hasPrefix("No leaks"))
      try #expect(lifeline(["check", "t"], in: folder).errors == "")
    }
  }

  @Test("--fail-on selects the kinds that fail, and an invalid kind is a usage error")
  func failOn() throws {
    try withTemporaryFolder { folder in
      try #expect(check(["--fail-on", "leak"], ["session"], in: folder).status == 0)
      try #expect(check(["--fail-on", "leak,use-after-free"], ["session"], in: folder).status == 1)
      let wrong = try check(["--fail-on", "leek"], [], in: folder)
      #expect(wrong.status == 64 && wrong.errors.contains("Unknown finding kind 'leek'."))
      try #expect(check(["--update-baseline"], [], in: folder).status == 64)
    }
  }

  @Test("A kept contract passes, a broken one fails, an unknown one gives no verdict, and each is a JUnit case")
  func contracts() throws {
    try withTemporaryFolder { folder in
      func check(_ contracts: String) throws -> CommandResult {
        try contracts.write(toFile: "\(folder)/c", atomically: true, encoding: .utf8)
        return try self.check(["--contract", "c", "--format", "junit"], [], in: folder)
      }
      let kept = try check("Session: max-live 1\nSession: freed-on main\n")
      #expect(kept.status == 0)
      #expect(
        kept.output.contains("<testcase classname=\"lifeline.contract\" name=\"Session: freed-on main\" time=\"0\"/>"))
      let broken = try check("Session: max-live 0\n")
      #expect(broken.status == 1)
      #expect(broken.output.contains("<failure message=\"1 broken contract\""))
      #expect(broken.output.contains("<failure message=\"App.Session: 1 live at once, first more than 0 at event 1.\""))
      let unknown = try check("Gone: max-live 0\n")
      #expect(unknown.status == 3)
      #expect(unknown.output.contains("<error message=\"No object of the class &apos;Gone&apos; was recorded.\""))
    }
  }

  @Test("Contracts about holders limit who may hold an object, and how soon it dies after a holder's release")
  func holders() throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Examples/DelayedDeallocation.swift"), encoding: .utf8)
    let program = try TestProgram(
      source, options: ["-g", "-Onone", "-module-name", "App"], file: "DelayedDeallocation.swift")
    try withTemporaryFolder { folder in
      try """
      FetchedResultsController: dies-within 1 event of DetailViewController.controller
      FetchedResultsController: dies-within 100 s of App.DetailViewController
      FetchedResultsController: holders only [DetailViewController, NotificationCenter, NotificationCenter:transient]
      FetchedResultsController: holders only [DetailViewController]
      FetchedResultsController: dies-within 1 event of Nobody
      """.write(toFile: "\(folder)/c", atomically: true, encoding: .utf8)
      let result = try lifeline(["check", "--contract", "c", "--fail-on", "leak", "--", program.path], in: folder)
      #expect(result.status == 1)
      let lines = result.output.split(separator: "\n").drop { $0 != "Contracts" }.dropFirst().prefix(5)
      let results = lines.map { line in
        line.trimmingCharacters(in: .whitespaces).replacing(/[0-9]+ events|event [0-9]+/, with: "N")
      }
      #expect(
        results == [
          """
          broken   FetchedResultsController: dies-within 1 event of DetailViewController.controller: \
          FetchedResultsController#1 died N after DetailViewController.controller released it at N; \
          NotificationCenter.post(name:object:) kept it.
          """,
          """
          kept     FetchedResultsController: dies-within 100 s of App.DetailViewController: \
          Every object released by App.DetailViewController was freed in time (1 checked).
          """,
          """
          kept     FetchedResultsController: holders only [DetailViewController, NotificationCenter, \
          NotificationCenter:transient]: No other holder was recorded (1 checked).
          """,
          """
          broken   FetchedResultsController: holders only [DetailViewController]: FetchedResultsController#1 was held \
          by NotificationCenter.addObserver(forName:object:queue:using:), from N on.
          """,
          """
          unknown  FetchedResultsController: dies-within 1 event of Nobody: Nobody released none of the recorded \
          objects (1 checked); 'lifeline history' shows who held an object.
          """,
        ])
    }
  }

  private static let pair = """
    final class Token { var value = 1 }
    final class Pair {
      private var first: Token?
      private var second: Token?
      func fill(_ one: Token, _ other: Token) { first = one; second = other }
      func drop() { first = nil; second = nil }
    }
    let pair = Pair()
    pair.fill(Token(), Token())
    pair.drop()
    """

  @Test(
    "Methods that store and drop an object show its holder among two properties; where they are inlined, nothing does",
    arguments: [
      (
        "-Onone",
        [
          "kept     Token: holders only [Pair]: No other holder was recorded (2 checked).",
          "broken   Token: holders only [Nobody]: Token#1 was held by App.Pair, from event N on.",
          "unknown  Token: holders only [Pair.first]: It is unknown who held Token#1 from event N on.",
        ]
      ),
      (
        "-O",
        [
          "kept     Token: holders only [Pair]: No other holder was recorded (2 checked).",
          """
          unknown  Token: holders only [Nobody]: main, whose code was optimized, had Token#1 from event N to N; what \
          was inlined into it may have stored it meanwhile, in App.Pair.first for example.
          """,
          """
          unknown  Token: holders only [Pair.first]: main, whose code was optimized, had Token#1 from event N to N; \
          what was inlined into it may have stored it meanwhile, in App.Pair.second for example.
          """,
        ]
      ),
    ])
  func inlinedHolder(_ level: String, _ expected: [String]) throws {
    let program = try TestProgram(Self.pair, options: ["-g", level, "-module-name", "App"])
    try withTemporaryFolder { folder in
      try "Token: holders only [Pair]\nToken: holders only [Nobody]\nToken: holders only [Pair.first]\n".write(
        toFile: "\(folder)/c", atomically: true, encoding: .utf8)
      let result = try lifeline(["check", "--contract", "c", "--", program.path], in: folder)
      let lines = result.output.split(separator: "\n").drop { $0 != "Contracts" }.dropFirst().prefix(3)
      #expect(
        lines.map {
          $0.trimmingCharacters(in: .whitespaces).replacing(/(event|from event|to) [0-9]+/) { "\($0.output.1) N" }
        } == expected)
    }
  }

  @Test("The main thread is the program's first thread, even if another thread has the first event")
  func mainThread() throws {
    let program = try TestProgram(
      """
      import Foundation
      final class Worker { var value = 1 }
      final class Owner { var value = 1 }
      let thread = Thread { _ = Worker().value }
      thread.start()
      while !thread.isFinished { usleep(1000) }
      print(Owner().value)
      """, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try "Owner: freed-on main\nWorker: never-freed-off main\n".write(
        toFile: "\(folder)/c", atomically: true, encoding: .utf8)
      let result = try lifeline(["check", "--contract", "c", "--", program.path], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("  kept     Owner: freed-on main: All 1 were freed on main.\n"))
      #expect(result.output.contains("  broken   Worker: never-freed-off main: Worker#1 was freed on thread 1"))
    }
  }

  @Test("No contract, suppression or baseline turns a blind recording into success")
  func blindness() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents { $0.add(3, 0x5000, at: [0x10], time: 1010, arguments: [1, 0]) }
    builder.stopReason = 2
    try builder.withFile { path in
      try withTemporaryFolder { folder in
        try "Node: max-live 1\n".write(toFile: "\(folder)/c", atomically: true, encoding: .utf8)
        try "*:Node # all\n".write(toFile: "\(folder)/s", atomically: true, encoding: .utf8)
        let result = try lifeline(
          [
            "check", "--contract", "c", "--suppressions", "s", "--baseline", "b", "--update-baseline", "--fail-on",
            "leak", path,
          ], in: folder)
        #expect(result.status == 3)
        #expect(verdict(result)?.hasPrefix("Verdict: no verdict: The recording stopped early") == true)
      }
    }
  }

  @Test(
    "Every format is written to the requested file with the same verdict",
    arguments: ["sarif", "junit", "markdown", "github", "json"])
  func formats(_ format: String) throws {
    try withTemporaryFolder { folder in
      let result = try check(["--format", format, "--report", "report"], ["session"], in: folder)
      #expect(result.status == 1)
      let text = try String(contentsOfFile: "\(folder)/report", encoding: .utf8)
      #expect(text.contains("use-after-free") && text.contains("Session"))
    }
  }
}
