import LifelineTestSupport
import Testing

/// Programs with the Swift runtime and libraries linked into them, whose classes then are in the program's own image.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct StaticRuntimeTests {
  private func check(_ source: String, _ level: String, _ options: [String] = []) throws -> CommandResult {
    let program = try TestProgram(source, options: ["-g", level, "-static-stdlib", "-module-name", "App"])
    return try withTemporaryFolder { try lifeline(["check"] + options + ["--", program.path], in: $0) }
  }

  @Test("What the standard library's storage holds is not leaked", arguments: ["-Onone", "-O"])
  func reachable(_ level: String) throws {
    let result = try check(
      """
      final class Session { let id: Int; init(_ id: Int) { self.id = id } }
      final class Room { var members: [Session] = [] }
      let sessions = [Session(1)]
      let byName: [String: [Session]] = ["a": [Session(2)]]
      let room = Room()
      room.members.append(Session(3))
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let reader = Task { for await number in stream { print(number, room.members.count) } }
      await Task.yield()
      print(sessions.count, byName.count, reader.isCancelled)
      """, level)
    #expect(result.status == 0 && result.output.contains("Verdict: clean\n"), "\(result)")
  }

  @Test("A cycle is found, and its path leads through an array", arguments: ["-Onone", "-O"])
  func leak(_ level: String) throws {
    let result = try check(
      """
      class Node { weak var owner: Node?; var parent: Node?; var kids: [Node] = [] }
      final class Leaf: Node { var number = 1 }
      @inline(never) func grow() { let root = Node(); let leaf = Leaf(); leaf.parent = root; root.kids.append(leaf) }
      grow()
      """, level)
    #expect(result.status == 1, "\(result)")
    #expect(result.output.contains("alive: Node.kids → Leaf.parent → Node"))
    #expect(!result.output.contains("_ContiguousArrayStorage"))
  }

  @Test("A block of Dispatch that is linked into the program is a transient holder", arguments: ["-Onone", "-O"])
  func nearMiss(_ level: String) throws {
    let result = try check(
      """
      import Dispatch
      final class Player { var volume = 3; @inline(never) func level() -> Int { volume } }
      final class Meter {
        unowned let player: Player
        init(_ player: Player) { self.player = player }
        @inline(never) func read() -> Int { player.level() }
      }
      final class Studio {
        var player: Player? = Player()
        lazy var meter = Meter(player!)
        let queue = DispatchQueue(label: "studio")
        @inline(never) func close() { player = nil }
        @inline(never) func start() {
          _ = meter
          let player = player!
          queue.async { [self] in
            close()
            print(meter.read())
            withExtendedLifetime(player) {}
          }
        }
      }
      let studio = Studio()
      studio.start()
      studio.queue.sync {}
      """, level, ["--depth", "full"])
    #expect(result.output.contains("warning: near-miss   Player#1 was used while only a Dispatch block "), "\(result)")
  }
}
