import Foundation
import LifelineTestSupport
import Testing

/// Who held an object: history --at and --finding, replay, rules.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct HolderCommandTests {
  private func withTrace(_ body: (String) throws -> Void) throws {
    let source = try String(
      contentsOf: BuiltPackage.root.appendingPathComponent("Examples/DelayedDeallocation.swift"), encoding: .utf8)
    let program = try TestProgram(
      source, options: ["-g", "-Onone", "-module-name", "App"], file: "DelayedDeallocation.swift")
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["record", "-q", "--zombies", "-o", "t", "--", program.path], folder: folder)
      #expect(result.status == 0)
      try body(folder)
    }
  }

  private func lifeline(_ arguments: [String], _ folder: String) throws -> CommandResult {
    try CommandResult.run(BuiltPackage.lifeline, arguments, folder: folder)
  }

  @Test("The holders of an object at a moment are its owners, then its transient holders")
  func moments() throws {
    try withTrace { folder in
      let history = try lifeline(["history", "t", "FetchedResultsController#1"], folder).output
      let owner = try #require(history.firstMatch(of: /DetailViewController#1\.controller +owner +([0-9]+) +([0-9]+)/))
      let post = try #require(
        history.firstMatch(of: /NotificationCenter\.post\(name:object:\) +passing +([0-9]+) +([0-9]+)/))
      let (ownerEnd, postStart, postEnd) = (UInt64(owner.2)!, UInt64(post.1)!, UInt64(post.2)!)
      #expect(postStart < ownerEnd && ownerEnd < postEnd)
      func at(_ event: UInt64) throws -> String {
        try lifeline(["history", "t", "FetchedResultsController#1", "--at", "\(event)"], folder).output
      }
      let before = try at(ownerEnd - 1)
      #expect(
        before.contains("owner      DetailViewController#1.controller")
          && before.contains("passing    NotificationCenter.post"))
      let after = try at(ownerEnd)
      #expect(after.contains("1 strong reference") && !after.contains("DetailViewController#1.controller"))
      #expect(after.contains("passing    NotificationCenter.post(name:object:)"))
      let end = try at(postEnd)
      #expect(end.contains("its deinit runs") && end.contains("no holders"))
      try #expect(at(1).contains("not allocated yet"))
    }
  }

  @Test("A moment can be a finding's, whose object is the default")
  func findings() throws {
    try withTrace { folder in
      let subject = try lifeline(["history", "t", "--finding", "1"], folder)
      #expect(subject.output.hasPrefix("DetailViewController#1 at event ") && subject.output.contains("freed"))
      let sender = try lifeline(["history", "t", "FetchedResultsController#1", "--finding", "1"], folder)
      #expect(sender.output.contains("passing    NotificationCenter.post(name:object:)"))
      let none = try lifeline(["history", "t", "--finding", "9"], folder)
      #expect(none.status == 2 && none.errors.contains("There is no finding 9; the report has "))
      try #expect(lifeline(["history", "t"], folder).status == 64)
      try #expect(lifeline(["history", "t", "--finding", "0"], folder).status == 64)
    }
  }

  @Test("Without a terminal, replay prints every step with its source line, count and holders")
  func replay() throws {
    try withTrace { folder in
      let result = try lifeline(["replay", "t", "DetailViewController#1"], folder)
      #expect(result.status == 0 && !result.output.contains("\u{1B}"))
      let steps = result.output.matches(of: /step ([0-9]+) of ([0-9]+)/)
      #expect(steps.count > 8 && steps.last.map { $0.1 == $0.2 } == true)
      #expect(result.output.contains("│ controller = FetchedResultsController(delegate: self)"))
      #expect(result.output.contains("final release -1 by MasterViewController.closeDetail()"))
      #expect(result.output.contains("owner      MasterViewController#1.detail"))
    }
  }

  @Test("On a terminal, replay shows one step per key press and restores the terminal")
  func stepping() throws {
    try withTrace { folder in
      let command = "stty -a > before; '\(BuiltPackage.lifeline)' replay t DetailViewController#1; stty -a > after"
      try "  \u{1B}[DGq".write(toFile: "\(folder)/keys", atomically: true, encoding: .utf8)
      let result = try CommandResult.run(
        "/bin/sh", ["-c", "script -qec \"\(command)\" /dev/null < keys"], folder: folder)
      let shown = result.output.matches(of: /step ([0-9]+) of ([0-9]+)/).map { "\($0.1)" }
      #expect(shown.prefix(4) == ["1", "2", "3", "2"] && shown.count == 5, "two forward, one back, the end")
      let states = try ["before", "after"].map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
      #expect(states[0] == states[1] && states[0].contains("echo"))
    }
  }

  @Test("A history can be limited to its last events, unbalanced ones, or those around one event")
  func selections() throws {
    try withTrace { folder in
      func events(_ arguments: String...) throws -> [Int] {
        let result = try lifeline(["history", "t", "FetchedResultsController#1"] + arguments, folder)
        #expect(result.status == 0 && result.errors == "")
        let rows = result.output.split(separator: "\n").compactMap { $0.firstMatch(of: /^ *([0-9]+)  [a-z]/) }
        return rows.map { Int($0.1)! }
      }
      let all = try events()
      try #expect(all.count > 8 && events("--last", "3") == Array(all.suffix(3)))
      try #expect(events("--around", "\(all[4])", "--last", "1000") == Array(all.prefix(15)))
      let free = try #require(all.last)
      try #expect(!events("--unbalanced").contains(free))
      for wrong in [["--last", "0"], ["--last", "3", "--format", "json"], ["--unbalanced", "--at", "3"]] {
        try #expect(lifeline(["history", "t", "FetchedResultsController#1"] + wrong, folder).status == 64)
      }
    }
  }

  @Test("Objects are filtered by class and liveness and sorted, and an unknown class gets a suggestion")
  func objects() throws {
    try withTrace { folder in
      let all = try lifeline(["objects", "t"], folder)
      #expect(all.status == 0 && all.output.contains("DetailViewController#1") && all.output.contains("freed"))
      #expect(all.output.contains(" DelayedDeallocation.swift:"))
      let json = try lifeline(["objects", "t", "*Controller", "--sort", "size", "--format", "json"], folder).output
      try #expect(JSONSchema(published: "objects-1").problems(json) == [])
      struct List: Decodable {
        struct Object: Decodable { let `class`: String, size: Int }
        let count: Int, objects: [Object]
      }
      let list = try JSONDecoder().decode(List.self, from: Data(json.utf8))
      #expect(list.count == list.objects.count && list.count > 2)
      #expect(list.objects.allSatisfy { $0.class.hasSuffix("Controller") })
      #expect(zip(list.objects, list.objects.dropFirst()).allSatisfy { $0.size >= $1.size })
      let wrong = try lifeline(["objects", "t", "DetailViewControler"], folder)
      #expect(wrong.status == 2 && wrong.output == "")
      let sentence = "No object of the class 'DetailViewControler' was recorded. Did you mean 'DetailViewController'?"
      #expect(wrong.errors.contains(sentence))
    }
  }

  @Test("The rules in effect are listed, and the built-in file is printed unchanged")
  func rules() throws {
    let text = try lifeline(["rules"], "/")
    #expect(text.status == 0 && text.output.contains("notification-post: NotificationCenter.post(name:object:)"))
    let json = try lifeline(["rules", "--format", "json"], "/")
    let file = BuiltPackage.root.appendingPathComponent("Sources/LifelineAnalysis/Holds/HoldRules.json")
    try #expect(json.output == String(contentsOf: file, encoding: .utf8))
    let missing = try lifeline(["rules", "--rules", "/nowhere.json"], "/")
    #expect(missing.status == 2 && missing.errors == "lifeline: There is no file /nowhere.json.\n")
  }

  @Test("What a method of the same class returned is not stated to be the property that has let go")
  func foundByMethod() throws {
    let source = """
      final class Session {
        let id: Int
        init(id: Int) { self.id = id }
        func finish() -> Int { id }
      }
      final class Lobby {
        private var sessions: [Int: Session] = [:]
        @inline(never) func open(_ id: Int) { sessions[id] = Session(id: id) }
        @inline(never) func find(_ id: Int) -> Session? { sessions[id] }
        @inline(never) func remove(_ id: Int) { sessions[id] = nil }
        @inline(never) func close(_ id: Int) -> Int {
          let session = find(id)
          remove(id)
          return session?.finish() ?? 0
        }
      }
      let lobby = Lobby()
      lobby.open(7)
      print(lobby.close(7))
      """
    let program = try TestProgram(source, options: ["-g", "-Onone", "-module-name", "App"])
    try withTemporaryFolder { folder in
      #expect(try lifeline(["record", "-q", "-o", "t", "--", program.path], folder).status == 0)
      let history = try lifeline(["history", "t", "Session#1"], folder).output
      let named = history.split(separator: "\n").filter { $0.contains(" Lobby#1.sessions ") }
      #expect(named.count { !$0.contains("perhaps") } == 1, "\(history)")
    }
  }
}
