import Foundation
import LifelineTestSupport
import Testing

/// What the commands print, against the schemas in Documentation/Schemas.
@Suite(.startsPrograms) struct PrintedDocumentTests {
  private func printed(_ arguments: [String]) throws -> String {
    let result = try CommandResult.run(BuiltPackage.lifeline, arguments)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  @Test("The lists of scenarios and of hold rules are valid by their schemas", .timeLimit(.minutes(5)))
  func lists() throws {
    let scenarios = try printed(["run", "--list", "--format", "json"])
    try #expect(JSONSchema(published: "scenarios-1").problems(scenarios) == [])
    try #expect(JSONSchema(published: "hold-rules-1").problems(printed(["rules", "--format", "json"])) == [])
  }

  @Test("A played scenario, its report and an object's history are valid by their schemas", .timeLimit(.minutes(5)))
  func play() throws {
    try #expect(JSONSchema(published: "run-1").problems(printed(["run", "ClosureCapturesSelf", "--format", "json"])) == [])
    let program = try TestProgram("final class Screen {}\nprint(Screen())\n")
    try withTemporaryFolder { folder in
      let trace = "\(folder)/screen.lifeline"
      _ = try printed(["record", "-q", "-o", trace, program.path])
      try #expect(JSONSchema(published: "report-1").problems(printed(["report", "--format", "json", trace])) == [])
      let history = try printed(["history", "--format", "json", trace, "Screen#1"])
      try #expect(JSONSchema(published: "history-1").problems(history) == [])
    }
  }
}
