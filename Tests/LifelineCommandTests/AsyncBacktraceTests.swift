import LifelineTestSupport
import Testing

@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct AsyncBacktraceTests {
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

  @Test("A task's asynchronous callers follow its synchronous frames, also after a suspension and a thread change")
  func callers() throws {
    let program = try TestProgram(Self.source, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      func lifeline(_ arguments: [String]) throws -> CommandResult {
        try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder)
      }
      let recorded = try lifeline(["record", "-q", "--zombies", "-o", "t", "--", program.path])
      #expect(recorded.output == "40\n" && recorded.status == 0)
      let history = try lifeline(["history", "t", "Token#1", "--backtraces"])
      let text = history.output.split(separator: "\n").map { $0.drop { $0 == " " } }
      let retain = try #require(
        text.firstIndex {
          $0.hasPrefix("touch(_:)") && text[text.index(after: text.firstIndex(of: $0)!)].hasPrefix("leaf(_:)")
        })
      #expect(text[retain + 1].hasPrefix("leaf(_:)  main.swift:9"))
      #expect(text[retain + 2].hasPrefix("middle() (async)  main.swift:"))
      #expect(text[retain + 3].hasPrefix("Store.load() (async)  main.swift:"))
      #expect(text[retain + 4].hasPrefix("closure #1 in closure #1 in ") && text[retain + 4].contains(" (async)"))
      #expect(!history.output.contains("__clone3"), "the thread that happens to run it is not shown")
      let report = try lifeline(["report", "t"])
      #expect(report.output.contains("Verdict: clean"))
    }
  }

  @Test("Optimized asynchronous code is recorded just as faithfully, and each event names its task")
  func optimized() throws {
    let program = try TestProgram(Self.source, options: ["-g", "-O", "-module-name", "App"])
    try withTemporaryFolder { folder in
      func lifeline(_ arguments: [String]) throws -> CommandResult {
        try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder)
      }
      let result = try lifeline(["check", "--", program.path])
      #expect(result.status == 0 && result.output.hasPrefix("40\n") && result.output.contains("Verdict: clean"))
      #expect(result.output.contains("App.Token") && !result.output.contains("outer frames could not be found"))
      _ = try lifeline(["record", "-q", "-o", "t", "--", program.path])
      let text = try lifeline(["history", "t", "Token#1", "--backtraces"]).output.split(separator: "\n").map {
        $0.drop { $0 == " " }
      }
      let allocation = try #require(text.firstIndex { $0.contains("  allocate  ") })
      #expect(text[allocation].contains(#/thread \d.*, task \d+  /#))
      let callers = text[allocation...].prefix { !$0.contains("  release  ") && !$0.contains("final release") }.map {
        $0.prefix { $0 != " " }
      }
      let middle = try #require(callers.firstIndex { $0 == "middle()" }),
        load = try #require(callers.firstIndex { $0 == "Store.load()" })
      #expect(middle + 1 == load && text[allocation + load].contains("(async)"))
      #expect(!text.contains { $0.contains("__clone3") }, "the thread that happens to run it is not shown")
    }
  }

  @Test(
    "A read of a freed object in an asynchronous function names the functions that await it",
    arguments: ["-Onone", "-O"])
  func fault(_ level: String) throws {
    let source = """
      final class Ledger { var entries = 1 }
      final class Kept { var value = 1; func touch() { value += 1 } }
      @inline(never) func reads(_ handle: UInt, _ kept: Kept) async -> Int {
        await Task.yield()
        kept.touch()
        let ledger = Unmanaged<Ledger>.fromOpaque(UnsafeRawPointer(bitPattern: handle)!)
        return ledger._withUnsafeGuaranteedRef { $0.entries } + kept.value
      }
      @inline(never) func outer(_ handle: UInt, _ kept: Kept) async -> Int {
        let first = await reads(handle, kept)
        kept.touch()
        return first + kept.value
      }
      @inline(never) func make() -> UInt {
        let ledger = Ledger()
        return UInt(bitPattern: Unmanaged.passUnretained(ledger).toOpaque())
      }
      print(await outer(make(), Kept()))
      """
    let program = try TestProgram(source, options: ["-g", level, "-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["check", "--guard", "*", "--on-use-after-free", "continue", "--", program.path],
        folder: folder)
      #expect(result.status == 1 && result.output.contains("Verdict: 1 finding"))
      let text = result.output.split(separator: "\n").map { String($0.drop { $0 == " " }.prefix { $0 != " " }) }
      let access = try #require(text.firstIndex { $0 == "access," })
      let functions = text[access...].prefix(8)
      let reads = try #require(functions.firstIndex { $0 == "reads(_:_:)" })
      #expect(functions[reads + 1] == "outer(_:_:)")
    }
  }
}
