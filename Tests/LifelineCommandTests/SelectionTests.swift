import Foundation
import LifelineTestSupport
import Testing

/// `--only` and `--ignore` for the commands that count the contents of a trace.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct SelectionTests {
  private static let commands: [[String]] =
    [["profile"], ["profile", "--format", "json"], ["profile", "--against", "app.lifeline"]]
    + ["collapsed", "speedscope", "pprof", "perfetto", "sqlite"].map { ["export", "--format", $0, "-o", "out"] }
    + [["export", "--format", "columns", "-o", "out", "--host", "here"]]

  @Test("A pattern that matches no class is an error with a suggestion, status 2 and no file", arguments: commands)
  func unmatched(_ command: [String]) throws {
    try ExportTests.withSample(name: "App.Node<Swift.Int>") { folder in
      func result(_ options: String...) throws -> CommandResult {
        try lifeline([command[0], "app.lifeline"] + command.dropFirst() + options, in: folder)
      }
      func refusal(_ sentence: String) -> CommandResult {
        CommandResult(output: "", errors: "lifeline: \(sentence)\n", status: 2)
      }
      try #expect(result("--only", "Zzz*") == refusal("--only 'Zzz*' matched no recorded class."))
      try #expect(
        result("--only", "Nodes")
          == refusal("--only 'Nodes' matched no recorded class. Did you mean 'Node<*'?"))
      try #expect(
        result("--only", "Node<Swift.Int*", "--only", "Zzz", "--ignore", "N*")
          == CommandResult(
            output: "",
            errors: """
              lifeline: --only 'Zzz' matched no recorded class.
              lifeline: --only and --ignore together exclude all classes.

              """, status: 2))
      try #expect(result("--ignore", "*") == refusal("--ignore excludes all classes."))
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder) == ["app.lifeline"])
      let half = try result("--only", "Node<*", "--only", "Zzz", "--ignore", "None")
      #expect(half.status == 0)
      #expect(half.errors.hasPrefix("lifeline: --only 'Zzz' matched no recorded class.\n"))
    }
  }
}
