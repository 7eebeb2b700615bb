import LifelineAnalysis
import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineGate

/// A program without symbols.
private struct Nameless: CodeNaming {
  func frames(of sites: [BacktraceEntry]) -> [CodeFrame] { [] }
  func functionIdentity(of site: BacktraceEntry) -> UInt64 { site.address }
  var storedProperties: [String: [StoredProperty]] { [:] }
  var superclasses: [String: String] { [:] }
}

@Suite struct ContractTests {
  @Test(
    "An invalid contract is rejected with its line number",
    arguments: [
      ("# only\n\n", "c has no contracts; write one per line, as Class: rule."),
      (
        "Node",
        """
        c:1: invalid contract 'Node'; write Class: rule. The rules are max-live N, freed-on THREAD, never-freed-off \
        THREAD, gone-at-exit, no-leak, dies-within N events|ms of HOLDER, holders only [HOLDER, …].
        """
      ),
      (
        ": max-live 1",
        """
        c:1: invalid contract ': max-live 1'; write Class: rule. The rules are max-live N, freed-on THREAD, \
        never-freed-off THREAD, gone-at-exit, no-leak, dies-within N events|ms of HOLDER, holders only [HOLDER, …].
        """
      ),
      ("\nNode: max-live -1", "c:2: max-live takes a non-negative number, not '-1'."),
      ("Node: max-live 99999999999999999999", "c:1: max-live takes a non-negative number, not '99999999999999999999'."),
      (
        "Node: max-lives 1",
        """
        c:1: unknown rule 'max-lives 1'; the rules are max-live N, freed-on THREAD, never-freed-off THREAD, \
        gone-at-exit, no-leak, dies-within N events|ms of HOLDER, holders only [HOLDER, …].
        """
      ),
      (
        "Node: gone-at-exit now",
        """
        c:1: unknown rule 'gone-at-exit now'; the rules are max-live N, freed-on THREAD, never-freed-off THREAD, \
        gone-at-exit, no-leak, dies-within N events|ms of HOLDER, holders only [HOLDER, …].
        """
      ),
    ])
  func mistakes(_ text: String, _ sentence: String) {
    #expect(throws: GateError(sentence)) { try ContractList(text, file: "c") }
  }

  /// At most two of three nodes are live at once; the worker frees the second, the third is never freed; and there is a
  /// box of another class.
  private func builder() -> TraceBuilder {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addClass(2, "App.Box")
    builder.addThread(2, name: "worker")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10], time: 1010, arguments: [1, 0])
      $0.add(3, 0x9000, at: [0x10], time: 1020, arguments: [2, 0])
      $0.add(3, 0x6000, at: [0x10], time: 1030, arguments: [1, 0])
      $0.add(2, 0x5000, count: 0, at: [0x10], time: 1040)
      $0.add(5, 0x5000, at: [0x10], time: 1050)
      $0.add(4, 0x5000, at: [0x10], time: 1060)
      // The address is reused before the other node is gone.
      $0.add(3, 0x5000, at: [0x10], time: 1100, arguments: [1, 0])
    }
    builder.addEvents(stream: 2, thread: 2, clock: 1070) {
      $0.add(2, 0x6000, count: 0, at: [0x10], time: 1070)
      $0.add(4, 0x6000, at: [0x10], time: 1080)
    }
    return builder
  }

  private func results(_ text: String, of builder: TraceBuilder? = nil) throws -> [String] {
    try (builder ?? self.builder()).withFile { path in
      let trace = try Trace(path: path)
      var inspector = ContractInspector(
        try ContractList(text, file: "c").contracts, trace, try LifetimeSummary(trace), names: Nameless())
      return try inspector.results().map { "\($0.outcome.rawValue): \($0.sentence)" }
    }
  }

  @Test("max-live counts objects of each class until their deinit begins")
  func maxLive() throws {
    try #expect(
      results("Node: max-live 2\nApp.Node: max-live 1\n*: max-live 0\nApp.*: max-live 2") == [
        "kept: At most 2 of 3 were live at once.",
        "broken: App.Node: 2 live at once, first more than 1 at event 3.",
        "broken: App.Box: 1 live at once, first more than 0 at event 2. App.Node: 2 live at once, first more than 0 at "
          + "event 1.",
        "kept: At most 2 of 4 were live at once.",
      ])
  }

  @Test("A contract for a generic class concerns it with any arguments, and with some only those")
  func genericClass() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Promise<Swift.Int>")
    builder.addClass(2, "App.Promise<App.Box<Swift.String>>.Waiter")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10], time: 1010, arguments: [1, 0])
      $0.add(3, 0x6000, at: [0x10], time: 1020, arguments: [2, 0])
    }
    try #expect(
      results(
        """
        Promise: max-live 1\nApp.Promise: max-live 1\nPromise<Swift.Int>: max-live 1\nPromise.Waiter: max-live 0
        Promise<Swift.String>: max-live 1
        """, of: builder) == [
          "kept: At most 1 of 1 were live at once.", "kept: At most 1 of 1 were live at once.",
          "kept: At most 1 of 1 were live at once.",
          "broken: App.Promise<App.Box<Swift.String>>.Waiter: 1 live at once, first more than 0 at event 2.",
          "unknown: No object of the class 'Promise<Swift.String>' was recorded.",
        ])
  }

  @Test("freed-on requires every object to be freed on the thread; never-freed-off ignores live objects")
  func threads() throws {
    try #expect(
      results(
        """
        Node: freed-on main\nNode: never-freed-off main\nBox: freed-on main\nBox: never-freed-off main\n\
        Node: never-freed-off w*
        """
      ) == [
        "broken: Node#2 was freed on thread 2 (worker) at event 7, not on main.",
        "broken: Node#2 was freed on thread 2 (worker) at event 7, not on main.",
        "broken: App.Box: 1 of 1 never freed.",
        "kept: None of 1 was freed off main.",
        "broken: Node#1 was freed on the main thread at event 4, not on w*.",
      ])
  }

  @Test("freed-on and never-freed-off also know serial queues, by their labels")
  func queues() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addThread(2, name: "worker")
    builder.addString(1, "store")
    for (stream, queue) in [(1, 1), (2, 0)] as [(UInt32, UInt64)] {
      builder.addEvents(stream: stream, thread: stream, clock: 1000 * UInt64(stream)) {
        $0.run(33, queue)
        let object = UInt64(0x5000 * stream)
        $0.add(3, object, at: [0x10], time: 1000 * UInt64(stream) + 10, arguments: [1, 0])
        $0.add(2, object, count: 0, at: [0x10], time: 1000 * UInt64(stream) + 20)
        $0.add(5, object, at: [0x10], time: 1000 * UInt64(stream) + 30)
        $0.add(4, object, at: [0x10], time: 1000 * UInt64(stream) + 40)
      }
    }
    try #expect(
      results("Node: freed-on store\nNode: never-freed-off worker", of: builder) == [
        "broken: Node#2 was freed on thread 2 (worker) at event 6, not on store.",
        "broken: Node#1 was freed on the main thread (queue store) at event 2, not on worker.",
      ])
  }

  @Test("An object whose isolated deinit ran on another thread than its final release was freed there")
  func isolatedDeinit() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addThread(2, name: "worker")
    builder.addEvents {
      $0.add(3, 0x5000, at: [0x10], time: 1010, arguments: [1, 0])
      $0.add(3, 0x6000, at: [0x10], time: 1020, arguments: [1, 0])
      $0.add(5, 0x5000, at: [0x10], time: 1050)
      $0.add(4, 0x5000, at: [0x10], time: 1060)
      // This one's deinit is not seen.
      $0.add(2, 0x6000, count: 0, at: [0x10], time: 1070)
    }
    builder.addEvents(stream: 2, thread: 2, clock: 1030) {
      $0.add(2, 0x5000, count: 0, at: [0x10], time: 1040)
    }
    try #expect(
      results("Node: freed-on main\nNode: never-freed-off w*\nNode: gone-at-exit", of: builder) == [
        "kept: All 2 were freed on main.",
        "broken: Node#1 was freed on the main thread at event 4, not on w*.",
        "kept: None of 2 is live at exit.",
      ])
  }

  @Test("A duration has a number and a unit, and holders are in brackets")
  func holdSyntax() throws {
    #expect(throws: GateError("c:1: invalid duration '1 day': expected a number followed by events, ns, us, ms or s."))
    {
      try ContractList("A: dies-within 1 day of B", file: "c")
    }
    #expect(
      throws: GateError(
        "c:1: invalid duration '99999999999999 s': expected a number followed by events, ns, us, ms or s.")
    ) {
      try ContractList("A: dies-within 99999999999999 s of B", file: "c")
    }
    #expect(throws: GateError("c:1: write the holders as [One, Other].")) {
      try ContractList("A: holders only B", file: "c")
    }
    let contracts = try ContractList(
      "A: dies-within 1 event of App.detail\nA: holders only [ B , C:transient ]\nA: holders only []", file: "c"
    ).contracts
    #expect(contracts[0].rule == .diesWithin(Contract.Delay("1", "event")!, of: HolderPattern("App.detail")))
    #expect(contracts[1].rule == .holdersOnly([HolderPattern("B"), HolderPattern("C:transient")]))
    #expect(contracts[2].rule == .holdersOnly([]))
    #expect(Contract.Delay("3", "ms")?.limit == 3_000_000 && Contract.Delay("2", "events")?.limit == 2)
  }

  @Test(
    "A holder pattern is a holder's name or its first parts; only ':transient' matches transient holders",
    arguments: [
      ("Master.detail", true), ("App.Master.detail", true), ("Master", true), ("*.detail", true), ("Mast", false),
      ("Master.det", false),
      ("Master.detail:transient", false), ("detail", false),
    ])
  func holderPattern(_ text: String, _ matches: Bool) {
    let holder = Holder.property(
      className: "App.Master", property: "detail", instance: ObjectID(className: "App.Master", number: 1))
    #expect(HolderPattern(text).matches(holder) == matches)
  }

  @Test(
    "A property's name may be that of the holder if it is only known to be some property of that class",
    arguments: [
      ("Master.detail", true), ("App.Master.detail", true), ("*.detail", true), ("Other.detail", false),
      ("Master.detail:transient", false), ("Master", false),
    ])
  func unnamedProperty(_ text: String, _ mayMatch: Bool) {
    #expect(HolderPattern(text).mayMatch(.property(className: "App.Master", property: nil, instance: nil)) == mayMatch)
    #expect(!HolderPattern(text).mayMatch(.property(className: "App.Master", property: "list", instance: nil)))
  }

  @Test("Contracts about holders are unknown if the holders cannot be named")
  func nameless() throws {
    try #expect(
      results("Node: dies-within 1 event of Master\nNode: holders only [Master]\nGhost: holders only []") == [
        """
        unknown: Master released none of the recorded objects (3 checked); 'lifeline history' shows who held an object.
        """,
        "unknown: It is unknown who held Node#1 from event 1 on.",
        "unknown: No object of the class 'Ghost' was recorded.",
      ])
  }

  @Test("gone-at-exit reports live objects, and a contract on a class that never occurs is unknown")
  func atExit() throws {
    try #expect(
      results("Node: gone-at-exit\nGhost: gone-at-exit\nod: max-live 5") == [
        "broken: App.Node: 1 of 3 live at exit.",
        "unknown: No object of the class 'Ghost' was recorded.",
        "unknown: No object of the class 'od' was recorded.",
      ])
  }
}
