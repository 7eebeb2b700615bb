import Foundation
import LifelineTestSupport
import Testing

/// What `lifeline growth` prints of a program that marks its rounds.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct GrowthCommandTests {
  @Test("What grows is told once for each place that allocates it, with who holds it", arguments: ["-Onone", "-O"])
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

  @Test("Where no object was recorded, that is said, and not that the program must run longer")
  func nothing() throws {
    let program = try TestProgram("print(1)", options: ["-module-name", "App"])
    try withTemporaryFolder { folder in
      let result = try CommandResult.run(
        BuiltPackage.lifeline, ["growth", "--every", "1ms", "--", program.path], folder: folder)
      #expect(result.status == 3)
      #expect(
        result.errors == "lifeline: No object of the program's own classes was seen; "
          + "--all-classes also records those of libraries.\n")
    }
  }
}
