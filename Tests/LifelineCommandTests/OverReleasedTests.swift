import LifelineTestSupport
import Testing

/// The results for an object that a callback released without a retain.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct OverReleasedTests {
  private static let source = """
    final class Token { let id: Int; init(_ id: Int) { self.id = id } }
    @inline(never) func complete(_ context: UnsafeMutableRawPointer) {
      let token = Unmanaged<Token>.fromOpaque(context).takeRetainedValue()
      print("completed", token.id)
    }
    @inline(never) func run() {
      let token = Token(7)
      complete(Unmanaged.passUnretained(token).toOpaque())
      print("still here", token.id)
    }
    run()
    """

  private func withProgram(_ body: (_ program: String, _ folder: String) throws -> Void) throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { try body(program.path, $0) }
  }

  @Test("An over-released object's history says that it died too early, even without zombies")
  func history() throws {
    try withProgram { program, folder in
      for options in [["--no-zombies"], ["--zombies"]] {
        let recorded = try CommandResult.run(
          BuiltPackage.lifeline, ["record", "-f", "-o", "t"] + options + [program],
          environment: ["SWIFT_BACKTRACE": "enable=no"], folder: folder)
        #expect(recorded.errors.contains(" events of 1 object in t ("), "\(recorded)")
        let history = try lifeline(["history", "t", "Token#1"], in: folder).output
        #expect(history.contains(options == ["--zombies"] ? "USE AFTER FREE (release)" : "NO OBJECT (release)"))
        #expect(history.hasSuffix("Verdict: too early\n"), "\(history)")
      }
    }
  }

  @Test("At depth lives, an over-released object's last release is attributed to the deinit's caller")
  func lives() throws {
    try withProgram { program, folder in
      let report = try lifeline(["check", "--once", "--", program], in: folder)
      #expect(report.status == 1)
      #expect(report.output.contains("error: over-release   Token#1 was released more often than it was retained\n"))
      #expect(
        report.output.contains(
          "  Its last strong reference was released by complete(_:) (event 2, main thread, main.swift:5).\n"),
        "\(report.output)")
    }
  }

  @Test("At depth lives, a surplus release on another thread may be the end of a use, and the report says so")
  func otherThread() throws {
    let source = """
      import Foundation
      final class Token { let id = 1 }
      let token = Unmanaged.passRetained(Token())
      token.release()
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        token.release()
        done.signal()
      }
      done.wait()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let doubt =
        #/at depth lives: thread 2 (.*)?may instead have taken the object while the main thread freed it\./#
      let lives = try lifeline(["check", "--once", "--", program.path], in: folder).output
      let title = "error: over-release   Token#1 was released more often than it was retained\n"
      #expect(lives.contains(title), "\(lives)")
      #expect(lives.replacing(#/\n +/#, with: " ").contains(doubt), "\(lives)")
      let full = try lifeline(["check", "--once", "--depth", "full", "--", program.path], in: folder).output
      #expect(full.contains(title), "\(full)")
      #expect(!full.contains("may instead have taken"), "\(full)")
    }
  }

  /// Programs that release once too often, with the line where that shows.
  private static let variants: [(name: String, line: Int, source: String)] = [
    (
      "by a pointer that held the only reference", 5,
      """
      final class Token { var id = 1 }
      @inline(never) func make() -> Unmanaged<Token> { .passRetained(Token()) }
      let token = make()
      token.release()
      token.release()
      """
    ),
    (
      "in a method, before the owner", 10,
      """
      class Token {
        var id = 1
        @inline(never) func close() { Unmanaged.passUnretained(self).release() }
      }
      final class Owner { var token: Token? }
      @inline(never) func run(_ owner: Owner) {
        owner.token = Token()
        owner.token!.close()
        print("closed")
        owner.token = nil
      }
      run(Owner())
      """
    ),
    (
      "on another thread, of an object whose deinit frees memory", 15,
      """
      import Glibc
      final class Token {
        let memory = malloc(64)
        deinit { free(memory) }
      }
      final class Owner { var token: Token? = Token() }
      @inline(never) func serve(_ context: UnsafeMutableRawPointer?) {
        Unmanaged<Token>.fromOpaque(context!).release()
      }
      @inline(never) func run(_ owner: Owner) {
        var thread = pthread_t()
        let context = Unmanaged.passUnretained(owner.token!).toOpaque()
        pthread_create(&thread, nil, { context in serve(context); return nil }, context)
        pthread_join(thread, nil)
        owner.token = nil
      }
      run(Owner())
      """
    ),
  ]

  @Test(
    "It is one finding, an over-release, however it is recorded and compiled", arguments: variants.indices,
    ["-Onone", "-O"])
  func variant(_ index: Int, _ level: String) throws {
    let (name, line, source) = Self.variants[index]
    let program = try TestProgram(source, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let modes = [
        [], ["--once"], ["--depth", "full"], ["--on-use-after-free", "continue"], ["--guard", "*"],
        ["--once", "--guard", "*"], ["--guard", "*", "--on-use-after-free", "continue"],
      ]
      for options in modes { try expectOne(program, options, at: "main.swift:\(line)", in: folder, name) }
    }
  }

  @Test("A release before the final one may be the one too many, and is named; a message is a use after free")
  func earlier() throws {
    let source = """
      class Token { var id = 1; func show() { print(id) } }
      @inline(never) func spoil(_ token: Token) { Unmanaged.passUnretained(token).release() }
      struct Lease { let raw: Unmanaged<Token>; var token: Token { raw.takeUnretainedValue() } }
      @inline(never) func run(_ isShown: Bool) {
        let token = Token(), lease = Lease(raw: .passUnretained(token))
        var list = [token]
        if lease.token.id == 0 { return }
        spoil(token)
        list.removeAll()
        if isShown { token.show() }
      }
      run(CommandLine.arguments.count > 1)
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let silent = try lifeline(["check", "--depth", "full", "--", program.path], in: folder).output
      #expect(silent.contains("error: over-release   Token#1 was released more often than it was retained\n"))
      #expect(
        silent.contains(
          #/  The release too many may also be an earlier one: spoil\(_:\) \(event \d+, main\.swift:2\)\.\n/#),
        "\(silent)")
      let shown = try lifeline(["check", "--depth", "full", "--", program.path, "shown"], in: folder).output
      #expect(shown.contains("error: use-after-free   Token#1 was messaged "), "\(shown)")
      #expect(!shown.contains("over-release"))
    }
  }

  /// Programs whose deinit releases its own object, with the line where that shows.
  private static let deinits: [(lines: [String: Int], source: String)] = [
    (
      ["-Onone": 4, "-O": 6],
      """
      final class Token {
        var id = 1
        @inline(never) func close() {
          Unmanaged.passUnretained(self).release()
        }
        deinit { close() }
      }
      @inline(never) func run() -> Token { Token() }
      print(run().id)
      """
    ),
    (
      ["-Onone": 9, "-O": 9],
      """
      final class Registry {
        var table: [Int: Unmanaged<Token>] = [:]
        weak var last: Token?
        @inline(never) func add(_ token: Token) {
          table[token.id] = .passUnretained(token)
          last = token
        }
        @inline(never) func remove(_ id: Int) {
          table.removeValue(forKey: id)?.release()
        }
      }
      final class Token {
        let id: Int
        let registry: Registry
        init(_ id: Int, _ registry: Registry) {
          self.id = id
          self.registry = registry
          registry.add(self)
        }
        deinit { registry.remove(id) }
      }
      @inline(never) func run(_ registry: Registry) { print(Token(7, registry).id) }
      run(Registry())
      """
    ),
  ]

  @Test(
    "A release too many inside the object's deinit is one finding at every depth, with a weak reference or without",
    arguments: deinits.indices, ["-Onone", "-O"])
  func inDeinit(_ index: Int, _ level: String) throws {
    let (lines, source) = Self.deinits[index]
    let line = try #require(lines[level])
    let program = try TestProgram(source, options: [level, "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let modes = [
        [], ["--once"], ["--depth", "full"], ["--once", "--guard", "*"], ["--retains", "Nothing"],
        ["--depth", "full", "--no-zombies"],
      ]
      for options in modes { try expectOne(program, options, at: "main.swift:\(line))", in: folder) }
    }
  }

  /// Expects one error, the over-release, at a place.
  private func expectOne(
    _ program: TestProgram, _ options: [String], at place: String, in folder: String, _ name: String = ""
  ) throws {
    let report = try lifeline(["check"] + options + ["--", program.path], in: folder)
    #expect(report.status == 1)
    let errors = report.output.split(separator: "\n").filter { $0.hasPrefix("error: ") }
    #expect(
      errors == ["error: over-release   Token#1 was released more often than it was retained"],
      "\(name), \(options): \(report.output)")
    for text in ["released it", place] {
      #expect(report.output.contains(text), "\(name), \(options): \(report.output)")
    }
  }

  @Test("Further releases of it, and of the memory that was its own, are no findings of their own")
  func repeated() throws {
    let source = """
      final class Token { var id = 1; deinit { if id < 3 { id += 1; Unmanaged.passUnretained(self).release() } } }
      @inline(never) func run() { print(Token().id) }
      run()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      for options in [["--zombies"], ["--no-zombies"]] {
        let report = try lifeline(
          ["check", "--depth", "full", "--on-use-after-free", "continue"] + options + ["--", program.path], in: folder)
        let errors = report.output.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        #expect(errors == ["error: over-release   Token#1 was released more often than it was retained"], "\(report)")
      }
    }
  }

  @Test("A closure that is a C function and takes a reference at every call is named as the one that did")
  func callback() throws {
    let source = """
      @_silgen_name("qsort_r") func qsort_r(
        _ base: UnsafeMutableRawPointer, _ count: Int, _ width: Int,
        _ compare: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeMutableRawPointer?) -> Int32,
        _ context: UnsafeMutableRawPointer?)
      class Order {
        let sign: Int
        init(_ sign: Int) { self.sign = sign }
        func compare(_ a: Int, _ b: Int) -> Int32 { Int32((a - b) * sign) }
      }
      @inline(never) func sort(_ values: inout [Int], by order: Order) {
        qsort_r(
          &values, values.count, 8,
          { a, b, context in
            let order = Unmanaged<Order>.fromOpaque(context!).takeRetainedValue()
            return order.compare(a!.load(as: Int.self), b!.load(as: Int.self))
          }, Unmanaged.passRetained(order).toOpaque())
      }
      @inline(never) func run() {
        var values = [5, 3, 9, 1, 7, 2]
        sort(&values, by: Order(-1))
        print(values)
      }
      run()
      """
    let program = try TestProgram(source, options: ["-O", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let report = try lifeline(["check", "--", program.path], in: folder)
      #expect(report.status == 1)
      #expect(
        report.output.contains(
          "\n  closure #1 in sort(_:by:), which has only a pointer to it, released it twice (event 3, event 4) and "
            + "never retained it.\n"), "\(report.output)")
      #expect(!report.output.contains("@objc"), "\(report.output)")
    }
  }

  @Test("If two places release a reference through pointers, the advice names both")
  func both() throws {
    let source = """
      class Ticket { var runs = 0; func run() { runs += 1 } }
      func call(_ body: @convention(c) (UnsafeMutableRawPointer) -> Void, _ context: UnsafeMutableRawPointer) {
        body(context)
      }
      final class Worker {
        var context: UnsafeMutableRawPointer?
        func start() {
          let context = Unmanaged.passRetained(Ticket()).toOpaque()
          self.context = context
          call({ Unmanaged<Ticket>.fromOpaque($0).takeRetainedValue().run() }, context)
        }
        func cancel() {
          if let context { Unmanaged<Ticket>.fromOpaque(context).release() }
        }
      }
      let worker = Worker()
      worker.start()
      worker.cancel()
      """
    let program = try TestProgram(source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let report = try lifeline(["check", "--", program.path], in: folder)
      #expect(report.status == 1)
      #expect(
        report.output.contains(
          "  To change: Look for an Unmanaged.release() or takeRetainedValue() without its retain in closure #1 in "
            + "Worker.start() and Worker.\n"), "\(report.output)")
    }
  }

  @Test("record and compact report the same size for a trace")
  func size() throws {
    let program = try TestProgram("final class Node {}\nprint(Node())", options: ["-module-name", "App"])
    try withTemporaryFolder { folder in
      let recorded = try lifeline(["record", "-o", "t.lifeline", program.path], in: folder).errors
      let compacted = try lifeline(["compact", "t.lifeline"], in: folder).errors
      let size = try #require(recorded.firstMatch(of: /\((\d+) kB\)/)).output.1
      #expect(compacted.contains(" events: \(size) kB became "), "\(recorded)\(compacted)")
    }
  }
}
