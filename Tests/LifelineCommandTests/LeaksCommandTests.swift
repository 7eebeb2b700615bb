import Foundation
import LifelineTestSupport
import Testing

/// The output of `lifeline leaks` for a program and for a trace.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct LeaksCommandTests {
  private static let source = """
    final class Player { var onEnd: (() -> Void)?; var plays = 0 }
    @inline(never) func open() {
      let player = Player()
      player.onEnd = {
        player.plays += 1
      }
    }
    open()
    print("end")
    """

  private func leaks(_ arguments: [String], folder: String) throws -> CommandResult {
    try CommandResult.run(BuiltPackage.lifeline, ["leaks"] + arguments, folder: folder)
  }

  @Test("A cycle is printed with its closure's line and the next command to run", arguments: ["-Onone", "-O"])
  func cycle(_ level: String) throws {
    let program = try TestProgram(Self.source, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let first = try leaks(["-o", "trace", "--", program.path], folder: folder)
      #expect(first.status == 1)
      #expect(first.output.hasPrefix("end\n1 leak: 1 object, "))
      #expect(first.output.contains("App.Player.onEnd [closure at main.swift:4]\n"))
      let hint = "lifeline: for the lines and what to change: lifeline "
      #expect(first.errors.contains(hint + "report /") && first.errors.contains("/trace\n"))
      let second = try leaks(["trace"], folder: folder)
      #expect(second.status == 1 && second.output == first.output.dropFirst(4))
      let third = try leaks(["--", program.path, "two words", "--only"], folder: folder)
      #expect(third.status == 1)
      #expect(third.errors.contains(hint + "check -- ") && third.errors.contains(" 'two words' --only\n"))
    }
  }

  @Test("A leak of a process that the program started is found, and each process is named")
  func startedProcess() throws {
    let program = try TestProgram(
      """
      import Foundation
      \(Self.source.replacingOccurrences(of: "\nopen()", with: "\nif CommandLine.arguments.count > 1 { open() }"))
      if CommandLine.arguments.count == 1 {
        let child = try Process.run(URL(fileURLWithPath: CommandLine.arguments[0]), arguments: ["leak"])
        child.waitUntilExit()
      }
      """, options: ["-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try leaks(["--", program.path], folder: folder)
      #expect(result.status == 1)
      let processes = result.output.matches(of: /(?m)^\S+ \(process \d+\): (.*)$/).map { "\($0.1)" }
      #expect(processes.count == 2 && processes.first?.hasPrefix("No leaks: ") == true)
      #expect(processes.last?.hasPrefix("1 leak: 1 object, ") == true, "\(result.output)")
    }
  }

  @Test("An unknown option is named, whether or not a value follows it")
  func unknownOption() throws {
    for arguments in [["trace", "--format", "json"], ["--format", "json", "trace"]] {
      let result = try leaks(arguments, folder: "/")
      #expect(result.status == 64 && result.errors.hasPrefix("Error: Unknown option '--format'"), "\(result.errors)")
    }
    let result = try leaks(["one", "two"], folder: "/")
    #expect(result.status == 64)
    #expect(
      result.errors.hasPrefix("Error: Give one trace or process, or put -- before a program and its arguments.\n"))
  }

  @Test(
    "A temporary trace is in TMPDIR and then removed; if it cannot be created, the program does not run",
    arguments: ["check", "leaks", "growth"])
  func temporaryTrace(_ verb: String) throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let place = "\(folder)/a place"
      func run() throws -> CommandResult {
        try CommandResult.run(
          BuiltPackage.lifeline, [verb, "--", program.path], environment: ["TMPDIR": place], folder: folder)
      }
      let without = try run()
      #expect(without.status == 2 && without.output.isEmpty)
      #expect(
        without.errors
          == "lifeline: Cannot create a temporary folder in \(place): No such file or directory.\n")
      try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
      #expect(try run().output.hasPrefix("end\n"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: place).isEmpty)
    }
  }

  @Test("Examining a running process does not interrupt its system calls")
  func uninterrupted() throws {
    let program = try AttachedProgram.program.get()
    try withTemporaryFolder { folder in
      let running = try AttachedProgram(program, ["waits"], in: folder)
      for _ in 0..<5 { #expect(try leaks([running.identifier], folder: folder).status == 0) }
      #expect(try running.end() == CommandResult(output: "ready\nwaits: worked, []\n", errors: "", status: 7))
    }
  }

  @Test(
    "A program whose file is deleted or replaced while it runs is examined nonetheless",
    arguments: ["unlink(path)", "unlink(path); close(open(path, O_CREAT | O_WRONLY, 0o644))"])
  func lostFile(_ code: String) throws {
    let program = try TestProgram(
      "import Glibc\n\(Self.source)\nlet path = CommandLine.arguments[1]\n\(code)\n", options: ["-Onone"])
    try withTemporaryFolder { folder in
      let path = "\(folder)/copy"
      // Not in this process: a program that another test starts meanwhile would keep the copy open for writing, and it
      // could not be executed.
      try #require(CommandResult.run("cp", [program.path, path], folder: folder).status == 0)
      let result = try leaks(["--", path, path], folder: folder)
      #expect(result.output.hasPrefix("end\n1 leak: 1 object, "), "\(result)")
      #expect(result.status == 1)
    }
  }

  @Test("Cycles of the same kind are counted together, and `why` says how many objects of a class are lost")
  func oneSort() throws {
    let program = try TestProgram(
      """
      final class Room { var player: Player? }
      final class Player { var room: Room? }
      let live = Room()
      @inline(never) func lose(_ room: Room, _ player: Player) {
        room.player = player
        player.room = room
      }
      @inline(never) func roomFirst() { let room = Room(); lose(room, Player()) }
      @inline(never) func playerFirst() { let player = Player(); lose(Room(), player) }
      for _ in 0..<5 { roomFirst(); playerFirst() }
      print(live.player == nil)
      """, options: ["-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let found = try leaks(["-o", "trace", "--", program.path], folder: folder)
      #expect(found.status == 1)
      #expect(found.output.contains("10 leaks: 20 objects, "))
      #expect(found.output.contains("1. Retain cycle, and 9 more like it; 20 objects, "))
      #expect(!found.output.contains("2. "))
      let why = try CommandResult.run(BuiltPackage.lifeline, ["why", "trace", "Room"], folder: folder)
      #expect(why.output.contains(" (one of 11; 10 leaked)\nis kept alive by\n"))
    }
  }

  @Test("What a task that nothing can resume keeps is no retain cycle")
  func lostTask() throws {
    let program = try TestProgram(
      """
      final class Ticket: Sendable { let id: Int; init(_ id: Int) { self.id = id } }
      func receive(_ ticket: Ticket) async -> Int {
        let number: Int = await withUnsafeContinuation { _ in }
        return number + ticket.id
      }
      @main struct Main {
        static func main() async throws {
          Task { _ = await receive(Ticket(1)) }
          try await Task.sleep(nanoseconds: 20_000_000)
        }
      }
      """, options: ["-Onone", "-g", "-parse-as-library", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let found = try leaks(["--", program.path], folder: folder)
      #expect(found.status == 1)
      #expect(found.output.contains("\n1. Lost task; 1 object, "), "\(found.output)")
      #expect(found.output.contains("\n  nothing can resume it\n  It keeps App.Ticket.\n"), "\(found.output)")
    }
  }

  @Test("Objects of a running process have no numbers, so `why` suggests a name that exists")
  func numbers() throws {
    try withTemporaryFolder { folder in
      let program = try TestProgram(
        """
        import Glibc
        final class Session {}
        final class List<Element> { final class Node {} }
        let session = Session()
        let node = List<Int>.Node()
        print("ready")
        fflush(nil)
        _ = readLine()
        print(session, node)
        """, options: ["-Onone", "-module-name", "App"])
      let running = try AttachedProgram(program, in: folder)
      func why(_ object: String) throws -> CommandResult {
        try lifeline(["why", running.identifier, object], in: folder)
      }
      func refusal(_ sentence: String) -> CommandResult {
        CommandResult(output: "", errors: "lifeline: \(sentence)\n", status: 2)
      }
      try #expect(
        why("Session#1")
          == refusal(
            "Objects of a running process have no numbers; those come from a recording. Give the class, or an "
              + "address: lifeline why \(running.identifier) Session"))
      let named = try why("Session")
      #expect(named.status == 0 && named.output.contains("is kept alive by"), "\(named)")
      try #expect(why("Sesion") == refusal("There is no live object of the class 'Sesion'. Did you mean 'Session'?"))
      for name in ["Node", "List.Node", "List.Nod"] {
        try #expect(
          why(name) == refusal("There is no live object of the class '\(name)'. Did you mean 'List.Node<Swift.Int>'?"))
      }
      _ = try running.end()
    }
  }

  @Test("The path that keeps an object names the element types of arrays")
  func elements() throws {
    let program = try TestProgram(
      """
      protocol Shape {}
      struct Leaf: Shape { let bark: Bark }
      final class Bark {}
      final class Tree { var shapes: [any Shape] = [] }
      nonisolated(unsafe) let trees = [Tree()]
      trees[0].shapes.append(Leaf(bark: Bark()))
      """, options: ["-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      _ = try leaks(["-o", "trace", "--", program.path], folder: folder)
      let why = try CommandResult.run(BuiltPackage.lifeline, ["why", "trace", "Bark"], folder: folder)
      #expect(why.status == 0)
      #expect(why.output.contains("Swift._ContiguousArrayStorage<Swift.AnyObject> (an element)\n"))
      #expect(why.output.contains("Swift._ContiguousArrayStorage<any App.Shape> (an element)\n"))
    }
  }

  @Test("A struct in a box has its property, and a task the line where it waits", arguments: ["-Onone", "-O"])
  func boxesAndTasks(_ level: String) throws {
    let program = try TestProgram(
      """
      protocol Stage {}
      struct Throttle: Stage { var limit = 1, window = 2.0, label = "three"; let pipeline: Pipeline }
      final class Pipeline { var stages: [any Stage] = [] }
      actor Panel {
        var task: Task<Void, Never>?
        var count = 0
        func show(_ numbers: AsyncStream<Int>) {
          task = Task {
            for await number in numbers { self.count += number }
          }
        }
      }
      @inline(never) func open() async {
        let pipeline = Pipeline()
        pipeline.stages = [Throttle(pipeline: pipeline)]
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        let panel = Panel()
        await panel.show(numbers)
        continuation.yield(1)
        while await panel.count == 0 { await Task.yield() }
      }
      await open()
      """, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try leaks(["--", program.path], folder: folder)
      #expect(result.status == 1)
      #expect(result.output.contains("box (Throttle.pipeline)\n"), "\(result.output)")
      #expect(result.output.contains("task waiting at main.swift:"), "\(result.output)")
      #expect(!result.output.contains("withUnsafeContinuation"))
    }
  }

  @Test("A program without leaks prints that and nothing else")
  func none() throws {
    let program = try TestProgram(Self.source.replacing("open()\nprint", with: "print"), options: ["-Onone"])
    try withTemporaryFolder { folder in
      let result = try leaks(["--", program.path], folder: folder)
      #expect(result.status == 0)
      #expect(result.output == "end\nNo leaks: every object of the program's own classes is reachable.\n")
      #expect(!result.errors.contains("what to change"))
    }
  }

  @Test("Objects held by an asynchronous main function that waits for another thread's exit are not leaks")
  func waitingMain() throws {
    let source = """
      import Foundation
      final class Server { var requests = 0 }
      @inline(never) func run() async {
        let server = Server()
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { exit(0) }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        server.requests += 1
      }
      await run()
      """
    let program = try TestProgram(source, options: ["-Onone", "-module-name", "App"])
    let result = try lifeline(["leaks", "--", program.path], in: "/")
    #expect(result.status == 0, "\(result)")
    #expect(result.output == "No leaks: every object of the program's own classes is reachable.\n")
  }

  private static let parked = """
    import Foundation
    final class Server { var peer: Server? }
    final class Lost { var peer: Lost? }
    @inline(never) func make() -> Server { Server() }
    @inline(never) func lose() { let first = Lost(), second = Lost(); first.peer = second; second.peer = first }
    @inline(never) func park(_ depth: Int) async -> Int {
      if depth > 0 { return await park(depth - 1) + 1 }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return 0
    }
    @inline(never) func run() async {
      let server = make()
      if CommandLine.arguments.count > 1 { lose() }
      DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { exit(0) }
      print(await park(100), server)
    }
    await run()
    """

  @Test(
    "Nor is it in a stripped program, where no name tells which task is the main function's, but a retain cycle is",
    arguments: ["-Onone", "-O"], [true, false])
  func strippedMain(_ level: String, _ isLinked: Bool) throws {
    let options = [level, "-module-name", "App"] + (isLinked ? ["-Xlinker", "-s"] : [])
    let program = try TestProgram(Self.parked, options: options)
    try withTemporaryFolder { folder in
      try program.copy(to: "\(folder)/parked")
      if !isLinked { try #require(CommandResult.run("strip", ["-s", "\(folder)/parked"]).status == 0) }
      let quiet = try lifeline(["leaks", "--", "./parked"], in: folder)
      #expect(quiet.status == 0, "\(quiet)")
      #expect(quiet.output == "No leaks: every object of the program's own classes is reachable.\n")
      #expect(try lifeline(["check", "--fail-on", "leak", "--", "./parked"], in: folder).status == 0)
      let lost = try lifeline(["leaks", "-o", "trace", "--", "./parked", "lose"], in: folder)
      #expect(lost.status == 1, "\(lost)")
      #expect(lost.output.hasPrefix("1 leak: 2 objects, ") && lost.output.contains("App.Lost.peer"))
      let why = try lifeline(["why", "trace", "Server"], in: folder)
      #expect(why.output.contains("is kept alive by\n\n  live task\n"), "\(why)")
    }
  }

  @Test("The main function's task is found however deep the asynchronous calls in which it waits")
  func deepMain() throws {
    let program = try TestProgram(Self.parked, options: ["-Onone", "-module-name", "App"])
    let result = try lifeline(["leaks", "--", program.path], in: "/")
    #expect(result.status == 0, "\(result)")
  }

  @Test(
    "A leaked object's class has the name under which it was recorded, whatever its type arguments are",
    arguments: [
      ("Void", "()"), ("(Int, String)", "(Swift.Int, Swift.String)"), ("() -> Void", "() -> ()"),
      ("(Int, Base) async throws -> Bool", "(Swift.Int, App.Base) async throws -> Swift.Bool"),
      ("[() -> Void]?", "Swift.Optional<Swift.Array<() -> ()>>"), ("any Error", "any Swift.Error"),
      ("Base & Style", "any App.Base & App.Style"), ("Any", "Any"), ("AnyObject", "Swift.AnyObject"),
      ("Int.Type", "Swift.Int.Type"), ("Box<Box<Box<Box<(Int, Int)>>>>", "App.Box<App.Box<App.Box<App.Box<_>>>>"),
    ])
  func namesAlike(_ type: String, _ name: String) throws {
    let source = """
      protocol Style {}
      class Base {}
      final class Box<Value> { let value: Value?; var me: Box?; init(_ value: Value?) { self.value = value } }
      @inline(never) func leak<Value>(_ type: Value.Type) {
        let box = Box<Value>(nil)
        box.me = box
      }
      leak((\(type)).self)
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let run = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "-o", "trace", "--", program.path], folder: folder)
      #expect(run.status == 1 && run.errors.contains("at full depth for App.Box<\(name)>;"), "\(run.errors)")
      let report = try CommandResult.run(
        BuiltPackage.lifeline, ["report", "--format", "json", "trace"], folder: folder)
      let document = try #require(try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any])
      let classes = try #require(document["classes"] as? [[String: Any]]).compactMap { $0["name"] as? String }
      let findings = try #require(document["findings"] as? [[String: Any]])
      let steps = findings.flatMap { $0["path"] as? [[String: Any]] ?? [] }.compactMap { $0["class"] as? String }
      #expect(classes == ["App.Box<\(name)>"] && Set(steps) == Set(classes))
    }
  }
}
