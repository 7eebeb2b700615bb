import Foundation
import LifelineTestSupport
import Testing

/// The output of `lifeline growth` for a program that marks its rounds.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct GrowthCommandTests {
  @Test("A growing class is reported once per allocation site, with its holders", arguments: ["-Onone", "-O"])
  func places(_ level: String) throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Node { var peer: Node? }
      final class Entry { let number: Int; init(_ number: Int) { self.number = number } }
      final class Cache { var entries: [() -> Int] = [] }
      nonisolated(unsafe) let cache = Cache()
      @inline(never) func lose() { let first = Node(), second = Node(); first.peer = second; second.peer = first }
      @inline(never) func fill(_ number: Int) {
        let entry = Entry(number)
        cache.entries.append { entry.number }
      }
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      for round in 0..<8 {
        lose()
        fill(round)
        mark?("round")
      }
      """, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(BuiltPackage.lifeline, ["growth", "--", program.path], folder: folder)
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.output.hasPrefix("grows by 2 Node per round, leaked: nothing reaches them\n  allocated by lose()"))
      #expect(result.output.contains("live at the end of each generation: 2 4 6 8 10 12 14 16\n"))
      #expect(result.output.contains("grows by 1 Entry per round, held by Cache.entries\n"))
      #expect(result.output.contains("allocated by fill(_:) (main.swift:8)\n"))
      #expect(result.output.contains("global cache → Cache.entries → closure at main.swift:9 → Entry\n"))
    }
  }

  @Test("With --keep, generations from before the kept part are not compared: only what survived them is known")
  func kept() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Session { let number: Int; init(_ number: Int) { self.number = number } }
      final class Noise { var value = 1 }
      nonisolated(unsafe) var sessions: [Session] = (0..<50).map(Session.init)
      @inline(never) func makeNoise(_ number: Int) -> Int {
        let noise = Noise()
        noise.value += number
        return noise.value
      }
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      var sum = 0
      for round in 0..<10 {
        for place in 0..<5 { sessions[5 * round + place] = Session(100 + round) }
        for number in 0..<30_000 { sum &+= makeNoise(number) }
        mark?("round")
      }
      print(sum == 0 ? "" : "\\(sessions.count)")
      """, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["growth", "--keep", "2MiB", "--", program.path], folder: folder)
      #expect(result.status == 3 && !result.output.contains("grows by"), "\(result)")
      #expect(result.errors.contains("use a larger --keep than 2 MiB, or shorter generations."), "\(result.errors)")
    }
  }

  @Test("A generation ends when lifeline gets the signal of --signal, which the program does not get")
  func signal() throws {
    // The program sends it to its parent, which is lifeline, and waits until it has been read.
    let program = try TestProgram(
      """
      import Foundation
      final class Session {}
      nonisolated(unsafe) var sessions: [Session] = []
      @inline(never) func open() { sessions.append(Session()) }
      func isPending() -> Bool {
        let status = (try? String(contentsOfFile: "/proc/\\(getppid())/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\\n").first { $0.hasPrefix("ShdPnd:") }
        return UInt64(line?.split(separator: "\\t").last ?? "0", radix: 16)! & 1 << UInt64(SIGUSR2 - 1) != 0
      }
      for _ in 0..<6 {
        for _ in 0..<3 { open() }
        kill(getppid(), SIGUSR2)
        while isPending() { usleep(1_000) }
        usleep(50_000)
      }
      open()
      print(sessions.count)
      """, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["growth", "--signal", "USR2", "-o", "app.lifeline", "--", program.path], folder: folder)
      #expect(result.status == 1, "\(result.errors)")
      #expect(result.output.hasPrefix("19\ngrows by 3 Session per round, held by sessions\n"), "\(result.output)")
      let later = try CommandResult.run(BuiltPackage.lifeline, ["growth", "app.lifeline"], folder: folder)
      #expect(later.status == 1 && "19\n" + later.output == result.output, "\(later.output)")
      let without = try CommandResult.run(
        BuiltPackage.lifeline, ["growth", "--signal", "USR1", "--", program.path], folder: folder)
      // The other signal is passed on to the program, which it ends.
      #expect(without.status == 3)
      #expect(
        without.errors.contains(
          "0 generations were seen; 4 are needed to distinguish growth from a warm-up. "
            + "Send SIGUSR1 to lifeline at the end of each round.\n"), "\(without.errors)")
      let trace = try CommandResult.run(
        BuiltPackage.lifeline, ["growth", "--signal", "USR1", "trace"], folder: folder)
      #expect(trace.status == 64)
      #expect(
        trace.errors.hasPrefix(
          "Error: --signal needs a program after --: the signals' times are in the trace that 'growth -o' made.\n"))
    }
  }

  @Test("A recording without objects says so instead of asking for a longer run")
  func nothing() throws {
    let program = try TestProgram("print(1)", options: ["-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["growth", "--every", "1ms", "--", program.path], folder: folder)
      #expect(result.status == 3)
      #expect(
        result.errors == "lifeline: No object of the program's own classes was seen; those that the optimizer puts on "
          + "the stack are not recorded, and those of libraries only with --all-classes.\n")
    }
  }

  @Test("Objects that a waiting main function holds are not leaked")
  func waitingMain() throws {
    let program = try TestProgram(
      """
      import Foundation
      final class Session {}
      final class Server { var sessions: [Session] = [] }
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      @inline(never) func run() async {
        let server = Server()
        for _ in 0..<8 {
          server.sessions.append(Session())
          mark?("round")
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { exit(0) }
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        print(server.sessions.count)
      }
      await run()
      """, options: ["-Onone", "-module-name", "App"])
    let result = try lifeline(["growth", "--", program.path], in: "/")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.hasPrefix("grows by 1 Session per round, held by Server.sessions\n"))
  }

  @Test("Members of a list that one line allocates are one growth; closures that capture no object have a holder too")
  func listAndClosures() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Undo { let previous: Undo?; init(_ last: Undo?) { previous = last } }
      final class Document {
        var last: Undo?
        var handlers: [() -> Int] = []
        @inline(never) func type() { last = Undo(last) }
        @inline(never) func add(_ number: Int) { handlers.append { number } }
      }
      nonisolated(unsafe) let document = Document()
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      for round in 0..<8 {
        document.type()
        document.type()
        document.add(round)
        mark?("round")
      }
      """, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      _ = try lifeline(["record", "-o", "trace", "--", program.path], in: folder)
      let result = try lifeline(["growth", "trace"], in: folder)
      #expect(result.status == 1, "\(result)")
      let titles = result.output.split(separator: "\n").filter { $0.hasPrefix("grows") }
      #expect(
        titles == [
          "grows by 2 Undo per round, held by Document.last through Undo.previous",
          "grows by 1 (closure context) per round, held by Document.handlers",
        ])
    }
  }

  @Test("What a function's own list gained, and freed when it returned, has its holder from the events")
  func freedAtTheEnd() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Page { let number: Int; init(_ number: Int) { self.number = number } }
      final class Album {
        var pages: [Page] = []
        @inline(never) func add(_ number: Int) { pages.append(Page(number)) }
      }
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      @inline(never) func browse() -> Int {
        let album = Album()
        for round in 0..<8 {
          album.add(round)
          mark?("round")
        }
        return album.pages.count
      }
      print(browse())
      """, options: ["-Onone", "-g", "-module-name", "App"])
    func growth(_ options: [String]) throws -> CommandResult {
      try lifeline(["growth"] + options + ["--", program.path], in: "/")
    }
    let full = try growth([])
    #expect(
      full.status == 1 && full.output.hasPrefix("8\ngrows by 1 Page per round, held by Album.pages, and freed at"))
    // Without retains and releases, nothing tells.
    let lives = try growth(["--depth", "lives"])
    #expect(lives.status == 1 && lives.output.hasPrefix("8\ngrows by 1 Page per round, and freed at the end\n"))
  }

  @Test(
    "The thunk that the compiler puts around a closure in a collection is not on the path", arguments: ["-Onone", "-O"])
  func thunk(_ level: String) throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Listener { var seen = 0 }
      final class Hub {
        static let shared = Hub()
        private var handlers: [String: [(Int) -> Void]] = [:]
        @inline(never) func on(_ key: String, _ body: @escaping (Int) -> Void) {
          handlers[key, default: []].append(body)
        }
      }
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      @inline(never) func request() {
        let listener = Listener()
        Hub.shared.on("tick") { number in listener.seen += number }
      }
      for _ in 0..<8 {
        request()
        mark?("round")
      }
      """, options: [level, "-g", "-module-name", "App"])
    let result = try lifeline(["growth", "--", program.path], in: "/")
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("Hub.handlers → closure at main.swift:13 → Listener\n"), "\(result.output)")
    #expect(!result.output.contains("thunk"))
  }

  @Test("Of a sample, growth says that the numbers are the sample's, in text and in JSON")
  func sample() throws {
    let program = try TestProgram(
      """
      import Glibc
      final class Session {}
      nonisolated(unsafe) var sessions: [Session] = []
      let mark = dlsym(nil, "lifeline_mark").map { \
      unsafeBitCast($0, to: (@convention(c) (UnsafePointer<CChar>) -> Void).self) }
      for _ in 0..<8 {
        for _ in 0..<200 { sessions.append(Session()) }
        mark?("round")
      }
      """, options: ["-Onone", "-g", "-module-name", "App"])
    let remark = "One object in 2 was recorded (--sample): the numbers are those of the sample."
    let text = try lifeline(["growth", "--sample", "1/2", "--", program.path], in: "/")
    #expect(text.status == 1 && text.output.contains("Session per round, held by sessions\n"), "\(text)")
    #expect(text.output.hasSuffix("\n\n\(remark)\n"), "\(text.output)")
    let json = try lifeline(["growth", "--sample", "1/2", "--format", "json", "--", program.path], in: "/")
    #expect(json.status == 1 && json.output.contains("\"remark\" : \"\(remark)\""), "\(json.output)")
    let whole = try lifeline(["growth", "--", program.path], in: "/")
    #expect(whole.output.hasPrefix("grows by 200 Session per round") && !whole.output.contains("One object"))
  }
}
