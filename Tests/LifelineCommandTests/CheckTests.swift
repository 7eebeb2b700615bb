import Foundation
import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct CheckTests {
  static let clean = """
    import Glibc
    final class Node { var value = 1 }
    let nodes = (0..<10).map { _ in Node() }
    print(nodes.count)
    exit(CommandLine.arguments.count > 1 ? 5 : 0)
    """

  @Test("A clean check exits with the program's own status")
  func cleanRun() throws {
    let program = try TestProgram(Self.clean)
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--", program.path], in: folder)
      #expect(result.status == 0)
      #expect(result.output.hasPrefix("10\n") && result.output.contains("Verdict: clean"))
      try #expect(lifeline(["check", "--", program.path, "x"], in: folder).status == 5)
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == [])
    }
  }

  @Test("A class pattern that matched nothing is named with the likely spelling")
  func unmatched() throws {
    let program = try TestProgram(Self.clean)
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--guard", "Nodes", "--only", "N*", "--", program.path], in: folder)
      #expect(result.status == 0 && result.output.contains("Verdict: clean"))
      #expect(
        result.errors
          == "lifeline: --guard 'Nodes' matched no recorded class. Did you mean 'Node'?\n")
      let nothing = try lifeline(["check", "--only", "Zzz*", "--", program.path], in: folder)
      #expect(nothing.status == 3)
      #expect(nothing.errors == "lifeline: --only 'Zzz*' matched no recorded class.\n")
    }
  }

  @Test(
    "The first scenario exits with 1 and names the method, the object and the lines", arguments: ["-Onone", "-O"])
  func scenario(_ level: String) throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Examples/DelayedDeallocation.swift"), encoding: .utf8)
    let program = try TestProgram(
      source, options: ["-g", level, "-module-name", "App"], file: "DelayedDeallocation.swift")
    try withTemporaryFolder { folder in
      let plain = try CommandResult.run(program.path, environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
      #expect(plain.status == 139, "without the probe it crashes")
      let result = try lifeline(["check", "-o", "t.lifeline", "--", program.path], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("use-after-free   DetailViewController#1 was "))
      #expect(result.output.contains("DelayedDeallocation.swift:34"), "the message")
      // In an optimized build, closeDetail() is inlined into contextChanged(_:), and its release has the line of that
      // call.
      #expect(result.output.contains("DelayedDeallocation.swift:\(level == "-O" ? 33 : 56)"), "the final release")
      let history = try lifeline(["history", "t.lifeline", "DetailViewController#1"], in: folder)
      #expect(history.output.contains("final release"))
      #expect(history.output.contains("USE AFTER FREE"))
      let controller = try lifeline(
        ["history", "--backtraces", "t.lifeline", "FetchedResultsController#1"], in: folder)
      #expect(controller.output.contains("NotificationCenter.post(name:object:userInfo:)"))
      let report = try lifeline(["report", "t.lifeline"], in: folder)
      let limited = try CommandResult.run(
        "bash", ["-c", "ulimit -s 256; exec \"$@\"", "bash", BuiltPackage.lifeline, "report", "t.lifeline"],
        folder: folder)
      #expect(limited == report, "with a small stack")
    }
  }

  @Test("Where retains are not recorded, a property is proposed to be weak only if something else owns the object")
  func condition() throws {
    let program = try TestProgram(
      """
      final class Engine { var car: Car?; var power = 5 }
      final class Car {
        let engine: Engine
        init(_ engine: Engine) { self.engine = engine }
      }
      @inline(never) func drive() -> Int {
        let engine = Engine()
        engine.car = Car(engine)
        engine.power += 1
        return engine.power
      }
      print(drive())
      """, options: ["-Onone", "-g"])
    try withTemporaryFolder { folder in
      for (option, condition) in [(["--once"], ", if something else owns the Engine"), (["--depth", "full"], "")] {
        let output = try lifeline(["check"] + option + ["--", program.path], in: folder).output
        #expect(
          output.contains("  To change: Make Car.engine weak or unowned\(condition). That frees everything.\n"),
          "\(output)")
      }
    }
  }

  @Test("A trace alone that does not say how its program ended gets no verdict")
  func unknownEnd() throws {
    let program = try TestProgram(
      """
      final class Node { var next: Node? }
      let node = Node()
      if CommandLine.arguments.count > 1 { fatalError("\\(node)") }
      """, options: ["-g"])
    try withTemporaryFolder { folder in
      for (name, arguments) in [("whole", []), ("crashed", ["now"])] {
        _ = try CommandResult.run(
          program.path, arguments,
          environment: [
            "SWIFT_BACKTRACE": "enable=no", "LD_PRELOAD": BuiltPackage.preloadableProbe,
            "LIFELINE_OPTIONS": "output=\(folder)/\(name):zombies=1",
          ], folder: folder)
      }
      #expect(try lifeline(["check", "whole"], in: folder).status == 0)
      let crashed = try lifeline(["check", "crashed"], in: folder)
      #expect(crashed.status == 3)
      #expect(
        crashed.output.contains(
          "Verdict: no verdict: The recording does not say how the program ended: it crashed, was killed, or still "))
      #expect(try lifeline(["report", "whole"], in: folder).output.contains("Verdict: clean "))
      #expect(
        try lifeline(["report", "crashed"], in: folder).output.contains(
          "Verdict: no verdict: The recording does not say how the program ended: it crashed, was killed, or still "))
    }
  }

  @Test("A trace has its program's status, and a copy that was made of it meanwhile stays as it is")
  func statusOfTrace() throws {
    let program = try TestProgram(
      """
      import Foundation
      final class Node {}
      print(Node())
      try FileManager.default.copyItem(atPath: "t.lifeline", toPath: "a.lifeline")
      exit(7)
      """)
    try withTemporaryFolder { folder in
      let recorded = try lifeline(["record", "-o", "t.lifeline", "--", program.path], in: folder)
      #expect(recorded.status == 7 && recorded.errors.contains(" in t.lifeline "), "\(recorded)")
      #expect(try lifeline(["check", "t.lifeline"], in: folder).status == 7)
      let copy = try lifeline(["report", "a.lifeline"], in: folder)
      #expect(copy.output.contains(" did not exit (crashed, killed or still running)"), "\(copy)")
    }
  }

  @Test(
    "Runtime traps become findings with the object's history",
    arguments: [
      (
        "unowned-after-deinit", "an unowned reference to Engine#1 was read",
        """
        final class Engine { let power = 5 }
        final class Car { unowned let engine: Engine; init(_ engine: Engine) { self.engine = engine } }
        @inline(never) func build() -> Car { Car(Engine()) }
        let car = build()
        print(car.engine.power)
        """
      ),
      (
        "resurrection", "Ghost#1 escaped from its own deinit",
        """
        final class Ghost { nonisolated(unsafe) static var kept: Ghost?; var value = 1; deinit { Ghost.kept = self } }
        @inline(never) func haunt() { _ = Ghost() }
        haunt()
        print(Ghost.kept?.value ?? 0)
        """
      ),
      (
        "over-release", "Token#1 was released more often than it was retained",
        """
        final class Token { let id = 5 }
        let token = Token()
        let unmanaged = Unmanaged.passUnretained(token)
        unmanaged.release()
        unmanaged.release()
        """
      ),
    ])
  func traps(_ kind: String, _ title: String, _ source: String) throws {
    let program = try TestProgram(source, options: ["-g", "-Onone"])
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--", program.path], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("\nerror: \(kind)   \(title)"))
      #expect(result.output.contains("main.swift:"))
    }
  }

  @Test("A deinit that the optimizer lets free the object before it stores self is named as what used it")
  func storedAfterFree() throws {
    let own = """
      final class Ghost { nonisolated(unsafe) static var kept: Ghost?; var value = 1; deinit { Ghost.kept = self } }
      @inline(never) func make() -> Ghost { Ghost() }
      @inline(never) func haunt() { let ghost = make(); print(ghost.value) }
      haunt()
      """
    // The next deinit at the same place uses the object that was freed before.
    let others = """
      final class Link {
        nonisolated(unsafe) static var seen: Link?
        unowned(unsafe) var before: Link?
        deinit { Link.seen = before }
      }
      nonisolated(unsafe) var links: [Link] = []
      for _ in 0..<3 { let link = Link(); link.before = links.last; links.append(link) }
      links.removeAll()
      """
    for (source, sentence, change) in [
      (
        own, "Ghost's deinit retained it after it had freed the object (event 3, main thread): it stored self, or",
        "To change: Do not store self, or pass it to anything that keeps it, in deinit.\n"
      ),
      (
        others, "; Link#2.before, an unowned(unsafe) reference, still pointed to it.",
        "Make Link.before weak, "
      ),
    ] {
      let program = try TestProgram(source, options: ["-g", "-O"])
      let result = try lifeline(["check", "--once", "--", program.path], in: "/")
      #expect(result.status == 1 && result.output.contains(sentence), "\(result.output)")
      #expect(result.output.contains(change), "\(result.output)")
    }
  }

  @Test(
    "The last owner is the property that a method emptied, of several that could have had the object",
    arguments: ["-Onone", "-O"])
  func emptied(_ level: String) throws {
    func program(_ drop: String) -> String {
      """
      class Session { var count = 0; @inline(never) func close() { count += 1 } }
      final class Inner { var number = 1; var a: Session?; var b: Session? }
      final class Cache {
        let inner = Inner()
        var current: Session?
        var other: Session?
        @inline(never) func fill() { other = Session(); inner.b = other; current = other; current = nil }
        @inline(never) func drop() { \(drop) }
      }
      @inline(never) func used(_ session: Unmanaged<Session>) { session.takeUnretainedValue().close() }
      let cache = Cache()
      cache.fill()
      let session = Unmanaged.passUnretained(cache.other!)
      cache.drop()
      used(session)
      """
    }
    for (drop, owner) in [
      ("inner.b = nil; other = nil", "Cache#1.other, which released it in Cache.drop() ("),
      // The same offset in another object, which is not the method's own.
      ("other = nil; inner.b = nil", nil),
    ] {
      let program = try TestProgram(program(drop), options: ["-g", level, "-module-name", "App"])
      let result = try lifeline(["check", "--depth", "full", "--", program.path], in: "/")
      #expect(result.status == 1 && result.output.contains("error: use-after-free   Session#1"), "\(result.output)")
      if let owner {
        #expect(result.output.contains("The last owner of Session#1 was \(owner)"), "\(result.output)")
      } else {
        #expect(!result.output.contains("Cache#1.other, which") && !result.output.contains("Cache#1.current, which"))
      }
    }
  }

  static let fieldRead = """
    import Glibc
    final class Box { var value = 7; var next = 9 }
    @inline(never) func make() -> Unmanaged<Box> { Unmanaged.passUnretained(Box()) }
    @inline(never) func peek(_ box: Unmanaged<Box>) -> Int {
      box._withUnsafeGuaranteedRef { $0.value }
    }
    @inline(never) func poke(_ box: Unmanaged<Box>) {
      box._withUnsafeGuaranteedRef { $0.next = 11 }
    }
    let boxes = (0..<3).map { _ in Box() }
    switch CommandLine.arguments[1] {
    case "read": print(peek(make()))
    case "write": poke(make())
    case "fault": UnsafeMutablePointer<Int>(bitPattern: 16)!.pointee = 1
    default: print(boxes.reduce(0) { $0 + $1.value })
    }
    """

  @Test(
    "Guard pages catch a read or write of a freed object's field at its line, which nothing else detects",
    arguments: [
      ("-Onone", "read", "main.swift:5"), ("-O", "read", "main.swift:5"), ("-Onone", "write", "main.swift:8"),
      ("-O", "write", "main.swift:8"),
    ])
  func guardPages(_ level: String, _ access: String, _ line: String) throws {
    let program = try TestProgram(Self.fieldRead, options: ["-g", level])
    try withTemporaryFolder { folder in
      try #expect(
        CommandResult.run(program.path, [access], folder: folder).status == 0, "the program itself notices nothing")
      let result = try lifeline(["check", "--guard", "Box", "--", program.path, access], in: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("use-after-free   Box#4 was \(access == "read" ? "read" : "written to") "))
      #expect(result.output.contains(line))
      let goingOn = try lifeline(
        ["check", "--guard", "Box", "--on-use-after-free", "continue", "--", program.path, access], in: folder)
      #expect(goingOn.status == 1 && goingOn.output.contains("exited with status 0"))
      if access == "read" { #expect(goingOn.output.hasPrefix("0\n"), "the freed object reads as zero") }
    }
  }

  @Test("A fault outside the guard pages reaches the program as usual, and a clean run stays clean")
  func foreignFaults() throws {
    let program = try TestProgram(Self.fieldRead, options: ["-g", "-Onone"])
    try withTemporaryFolder { folder in
      let crash = try lifeline(["record", "-q", "--guard", "*", "-o", "t", program.path, "fault"], in: folder)
      #expect(crash.status == 139)
      let backtrace = try lifeline(
        ["record", "-q", "-f", "--guard", "*", "-o", "t", program.path, "fault"], in: folder,
        environment: ["SWIFT_BACKTRACE": "enable=yes,color=no"])
      #expect(backtrace.errors.contains("Thread 0") && backtrace.errors.contains("crashed"))
      let clean = try lifeline(["check", "--guard", "*", "--", program.path, "none"], in: folder)
      #expect(clean.status == 0 && clean.output.hasPrefix("21\n"))
    }
  }

  @Test("The reason is named why an ending program could not be examined")
  func unreachable() throws {
    try withTemporaryFolder { folder in
      let program = try TestProgram(
        """
        import Glibc
        final class Kept {}
        let kept = Kept()
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &none)
        """)
      let result = try lifeline(["check", "--", program.path], in: folder)
      #expect(result.status == 0 && result.output.contains("Verdict: clean (leaks were not looked for)\n"), "\(result)")
      #expect(
        result.output.contains(
          "Leaks were not looked for: the program could not reach lifeline when it ended (Too many open files).\n"))
    }
  }

  @Test("If nothing can be observed, there is no verdict: status 3 and the reason")
  func noVerdict() throws {
    try withTemporaryFolder { folder in
      let notSwift = try lifeline(["check", "--", "/bin/echo", "hi"], in: folder)
      #expect(notSwift.status == 3)
      #expect(
        notSwift.output
          == "hi\nVerdict: no verdict: /bin/echo started without the Swift runtime, and no process that it "
          + "started was recorded; a runtime loaded later (dlopen) is not noticed.\n"
      )
      let program = try TestProgram(Self.clean)
      let cleared = try lifeline(["check", "--", "/usr/bin/env", "-i", program.path], in: folder)
      #expect(cleared.status == 3)
      let filtered = try lifeline(["check", "--only", "NoSuchClass", "--", program.path], in: folder)
      #expect(filtered.status == 3)
      #expect(filtered.output.contains("No object of the chosen classes was seen; check --only and --ignore."))
    }
  }

  @Test("If only programs of the toolchain ran, the reason says how to record one")
  func toolchain() throws {
    try withTemporaryFolder { folder in
      let check = try lifeline(["check", "-q", "--", "swift", "--version"], in: folder)
      #expect(check.status == 3)
      #expect(
        check.output.hasSuffix(
          "Verdict: no verdict: Nothing but the toolchain's own programs ran, which are not recorded under 'swift'; to "
            + "record one, give it by its own name, such as swift-package.\n"), "\(check.output)\(check.errors)")
    }
  }

  @Test("A statically linked runtime is recorded through its symbols; without them there is no verdict")
  func staticRuntime() throws {
    let program = try TestProgram(Self.clean, options: ["-static-stdlib"])
    try withTemporaryFolder { folder in
      let result = try lifeline(["check", "--", program.path], in: folder)
      #expect(result.status == 0 && result.output.contains("Node"))
      try #expect(CommandResult.run("strip", [program.path, "-o", "\(folder)/stripped"]).status == 0)
      let stripped = try lifeline(["check", "--", "./stripped"], in: folder)
      #expect(stripped.status == 3)
      #expect(
        stripped.output.hasSuffix(
          "./stripped has the Swift runtime linked in and its symbol table stripped, so the runtime's entry points "
            + "cannot be found. Keep the symbols or link without -static-stdlib.\n"
        ))
      let doctor = try lifeline(["doctor", "./stripped"], in: folder)
      #expect(doctor.status == 3 && doctor.output.contains("NO  ./stripped has the Swift runtime linked in"))
    }
  }

  @Test("doctor counts the events of its own self-test")
  func doctor() throws {
    let result = try lifeline(["doctor"], in: "/")
    #expect(result.status == 0)
    #expect(result.output.contains("self-test: 1000 of 1000 allocations and 1000 of 1000 frees were seen"))
  }
}
