import LifelineTestSupport
import Testing

@Suite struct AsyncBacktraceTests {
  private static let source = """
    final class Token: @unchecked Sendable { var value = 1 }
    @inline(never) func touch(_ token: Token) -> Int {
      let kept = Unmanaged.passRetained(token)
      defer { kept.release() }
      return token.value
    }
    @inline(never) func leaf(_ token: Token) async -> Int {
      await Task.yield()
      return touch(token)
    }
    @inline(never) func middle() async -> Int {
      let token = Token()
      let first = await leaf(token)
      return first + touch(token)
    }
    actor Store { func load() async -> Int { await middle() } }
    let store = Store()
    let results = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { await store.load() } }
      return await group.reduce(0, +)
    }
    print(results)
    """

  @Test("The asynchronous callers of a task follow its synchronous part, after a suspension and a change of thread too")
  func callers() throws {
    let program = try TestProgram(Self.source, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      func lifeline(_ arguments: [String]) throws -> CommandResult { try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder) }
      let recorded = try lifeline(["record", "-q", "--zombies", "-o", "t", "--", program.path])
      #expect(recorded.output == "40\n" && recorded.status == 0)
      let history = try lifeline(["history", "t", "Token#1", "--backtraces"])
      let text = history.output.split(separator: "\n").map { $0.drop { $0 == " " } }
      let retain = try #require(text.firstIndex { $0.hasPrefix("touch(_:)") && text[text.index(after: text.firstIndex(of: $0)!)].hasPrefix("leaf(_:)") })
      #expect(text[retain + 1].hasPrefix("leaf(_:)  main.swift:9"))
      #expect(text[retain + 2].hasPrefix("middle() (async)  main.swift:"))
      #expect(text[retain + 3].hasPrefix("Store.load() (async)  main.swift:"))
      #expect(text[retain + 4].hasPrefix("closure #1 in closure #1 in ") && text[retain + 4].contains(" (async)"))
      #expect(!history.output.contains("__clone3"), "the thread that happens to run it says nothing")
      let report = try lifeline(["report", "t"])
      #expect(report.output.contains("Verdict: clean"))
    }
  }

  @Test("Optimised asynchronous code is recorded as faithfully; callers are told where a frame keeps the context")
  func optimised() throws {
    let program = try TestProgram(Self.source, options: ["-g", "-O", "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(BuiltPackage.lifeline, ["check", "--", program.path], folder: folder)
      #expect(result.status == 0 && result.output.hasPrefix("40\n") && result.output.contains("Verdict: clean"))
      #expect(result.output.contains("App.Token") && !result.output.contains("outer frames could not be found"))
    }
  }
}
