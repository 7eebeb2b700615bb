import Foundation
import LifelineTestSupport
import Testing

/// The output of the commands, checked against the schemas in Documentation/Schemas.
@Suite(.startsPrograms) struct PrintedDocumentTests {
  private func printed(_ arguments: [String]) throws -> String {
    let result = try CommandResult.run(BuiltPackage.lifeline, arguments)
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }

  private func expectValid(_ document: String, _ schema: String) throws {
    let problems = try JSONSchema(published: schema).problems(document)
    #expect(problems == [], "\(schema): \(problems)")
  }

  @Test("The lists of scenarios and hold rules match their schemas", .timeLimit(.minutes(60)))
  func lists() throws {
    let scenarios = try printed(["run", "--list", "--format", "json"])
    try expectValid(scenarios, "scenarios-1")
    try expectValid(try printed(["rules", "--format", "json"]), "hold-rules-1")
  }

  @Test("A scenario's result, its report and an object's history match their schemas", .timeLimit(.minutes(60)))
  func play() throws {
    try expectValid(try printed(["run", "ClosureCapturesSelf", "--format", "json"]), "run-1")
    let program = try TestProgram("final class Screen {}\nprint(Screen())\n")
    try withTemporaryFolder { folder in
      let trace = "\(folder)/screen.lifeline"
      _ = try printed(["record", "-q", "-o", trace, program.path])
      try expectValid(try printed(["report", "--format", "json", trace]), "report-1")
      let history = try printed(["history", "--format", "json", trace, "Screen#1"])
      try expectValid(history, "history-1")
    }
  }
}
