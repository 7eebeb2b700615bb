import Foundation
import LifelineTestSupport
import Testing

/// `lifeline run --from` with the scenarios of Tests/ScenarioFixture.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct OwnScenariosTests {
  private static let executable = BuiltPackage.buildFolder.appendingPathComponent("ScenarioFixture").path

  private struct Document: Decodable {
    struct Play: Decodable {
      let variant: String
      let failures: [String]
    }
    let plays: [Play]
  }

  private func run(_ arguments: String...) throws -> CommandResult {
    try lifeline(["run", "--from", Self.executable] + arguments, in: "/")
  }

  @Test("The scenarios of a user's own executable run and meet their expectations")
  func good() throws {
    let result = try run("Good")
    #expect(
      result.output == """
        scenario  variant  expected               found
        Good      gone     nothing                nothing                ok
                  kept     1 live Lamp            1 live Lamp            ok
                  freed    use-after-free Lamp#1  use-after-free Lamp#1  ok
                  aborted  signal 6               signal 6               ok

        4 of 4 variants were as expected.

        """)
    #expect(result.status == 0)
  }

  @Test("Each way to miss an expectation has its own message, and the status is 1")
  func bad() throws {
    let result = try run("Bad", "--format", "json")
    #expect(result.status == 1)
    let plays = try JSONDecoder().decode(Document.self, from: Data(result.output.utf8)).plays
    let first = Dictionary(uniqueKeysWithValues: plays.map { ($0.variant, $0.failures.first ?? "") })
    #expect(first["missing"] == "use-after-free Lamp#1 was not found.")
    #expect(first["unexpected"]?.hasPrefix("use-after-free ScenarioFixture.Lamp#1 is not expected: ") == true)
    #expect(first["live"] == "1 of Lamp are live at exit instead of 0.")
    #expect(first["aborted"] == "The process was ended by SIGABRT instead of exiting with status 0.")
    #expect(first["observed"] == "The process exited with status 1 instead of exiting with status 0.")
  }

  @Test(
    "A scenario executable rejects unknown arguments with a sentence and status 64",
    arguments: [
      ([], "usage: --list-scenarios | --play SCENARIO VARIANT\n"),
      (["--play", "Nowhere", "gone"], "No scenario named 'Nowhere'; --list-scenarios lists them.\n"),
      (["--play", "Good", "nowhere"], "Good has no variant nowhere; --list-scenarios lists them.\n"),
    ])
  func refusals(_ arguments: [String], _ sentence: String) throws {
    #expect(
      try CommandResult.run(Self.executable, arguments) == CommandResult(output: "", errors: sentence, status: 64))
  }

  @Test("A scenario that exceeds its time limit is ended with all its processes, and fails")
  func limit() throws {
    let result = try run("Slow", "--limit", "1")
    #expect(result.status == 1)
    #expect(result.output.contains("Slow hangs\n  It was stopped after 1 s, the limit."))
  }

  @Test("After the table, a failed variant has its reason, its output and its report")
  func lifetime() throws {
    let result = try run("Bad", "--variant", "observed")
    #expect(result.status == 1)
    #expect(result.output.contains("NOT AS EXPECTED"))
    #expect(
      result.output.contains("Bad observed\n  The process exited with status 1 instead of exiting with status 0."))
    #expect(result.output.contains(": lamps should be 2, but is 1."))
    #expect(result.output.contains("  It printed:\n    lamps: 1\n  | ScenarioFixture (process "))
    #expect(result.output.hasSuffix("\nThe variant was not as expected.\n"))
  }
}
