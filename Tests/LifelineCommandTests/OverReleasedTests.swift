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
