import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineGate

@Suite struct ContractTests {
  @Test(
    "What is wrong with a contract is said with its line",
    arguments: [
      ("# only\n\n", "c holds no contract; a line is Class: rule."),
      ("Node", "c:1: 'Node' is no contract; write Class: rule. The rules are max-live N, freed-on THREAD, never-freed-off THREAD, gone-at-exit."),
      (": max-live 1", "c:1: ': max-live 1' is no contract; write Class: rule. The rules are max-live N, freed-on THREAD, never-freed-off THREAD, gone-at-exit."),
      ("\nNode: max-live -1", "c:2: max-live takes a number from 0, not '-1'."),
      ("Node: max-live 99999999999999999999", "c:1: max-live takes a number from 0, not '99999999999999999999'."),
      ("Node: max-lives 1", "c:1: 'max-lives 1' is no rule; the rules are max-live N, freed-on THREAD, never-freed-off THREAD, gone-at-exit."),
      ("Node: gone-at-exit now", "c:1: 'gone-at-exit now' is no rule; the rules are max-live N, freed-on THREAD, never-freed-off THREAD, gone-at-exit."),
    ])
  func mistakes(_ text: String, _ sentence: String) {
    #expect(throws: GateError(sentence)) { try ContractList(text, file: "c") }
  }

  /// Two of three nodes live at once; the second is freed by the worker, the third never; a box of another class.
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
      // The address is used again before the other node is gone.
      $0.add(3, 0x5000, at: [0x10], time: 1100, arguments: [1, 0])
    }
    builder.addEvents(stream: 2, thread: 2, clock: 1070) {
      $0.add(2, 0x6000, count: 0, at: [0x10], time: 1070)
      $0.add(4, 0x6000, at: [0x10], time: 1080)
    }
    return builder
  }

  private func results(_ text: String) throws -> [String] {
    try builder().withFile { path in
      var inspector = ContractInspector(try ContractList(text, file: "c").contracts, try Trace(path: path))
      return try inspector.results().map { "\($0.outcome.rawValue): \($0.sentence)" }
    }
  }

  @Test("max-live counts objects until their deinit begins, class by class")
  func maxLive() throws {
    try #expect(
      results("Node: max-live 2\nApp.Node: max-live 1\n*: max-live 0\nApp.*: max-live 2") == [
        "kept: At most 2 of 3 were live at once.",
        "broken: App.Node: 2 live at once, first more than 1 at event 3.",
        "broken: App.Box: 1 live at once, first more than 0 at event 2.",
        "kept: At most 2 of 4 were live at once.",
      ])
  }

  @Test("freed-on wants every object freed on the thread, never-freed-off only asks of those that are")
  func threads() throws {
    try #expect(
      results("Node: freed-on main\nNode: never-freed-off main\nBox: freed-on main\nBox: never-freed-off main\nNode: never-freed-off w*") == [
        "broken: Node#2 was freed on thread 2 (worker) at event 7, not on main.",
        "broken: Node#2 was freed on thread 2 (worker) at event 7, not on main.",
        "broken: App.Box: 1 of 1 never freed.",
        "kept: None of 1 was freed off main.",
        "broken: Node#1 was freed on the main thread at event 4, not on w*.",
      ])
  }

  @Test("gone-at-exit, and a class that never occurs cannot be judged")
  func atExit() throws {
    try #expect(
      results("Node: gone-at-exit\nGhost: gone-at-exit\nod: max-live 5") == [
        "broken: App.Node: 1 of 3 live at exit.",
        "unknown: No object of a class 'Ghost' was recorded.",
        "unknown: No object of a class 'od' was recorded.",
      ])
  }
}
