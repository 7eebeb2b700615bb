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
      var modes = [[], ["--once"], ["--depth", "full"], ["--on-use-after-free", "continue"]]
      // A guard page reports the retain that unoptimized code makes before the release.
      if index > 0 || level == "-O" { modes.append(["--guard", "*"]) }
      for options in modes {
        let report = try lifeline(["check"] + options + ["--", program.path], in: folder)
        #expect(report.status == 1)
        let errors = report.output.split(separator: "\n").filter { $0.hasPrefix("error: ") }
        #expect(
          errors == ["error: over-release   Token#1 was released more often than it was retained"],
          "\(name), \(options): \(report.output)")
        #expect(report.output.contains("main.swift:\(line)"), "\(name), \(options): \(report.output)")
      }
    }
  }

  @Test("A release before the final one may be the one too many, and is named; a message is a use after free")
  func earlier() throws {
    let source = """
      class Token { var id = 1; func show() { print(id) } }
      @inline(never) func spoil(_ token: Token) { Unmanaged.passUnretained(token).release() }
      @inline(never) func run(_ isShown: Bool) {
        let token = Token()
        var list = [token]
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
        silent.contains("  The release too many may also be an earlier one: spoil(_:) (event 5, main.swift:2).\n"),
        "\(silent)")
      let shown = try lifeline(["check", "--depth", "full", "--", program.path, "shown"], in: folder).output
      #expect(shown.contains("error: use-after-free   Token#1 was messaged "), "\(shown)")
      #expect(!shown.contains("over-release"))
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
