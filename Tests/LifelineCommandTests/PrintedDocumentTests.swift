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

  @Test(
    "A run without a trace has a report in every format, which replaces an earlier one", .timeLimit(.minutes(60)),
    arguments: [["check", "--"], ["explore", "--runs", "1", "--"]])
  func unrecorded(_ command: [String]) throws {
    try withTemporaryFolder { folder in
      let program = try TestProgram("final class Screen {}\nprint(Screen())\n")
      func report(_ formats: [String], _ path: String) throws -> CommandResult {
        try CommandResult.run(BuiltPackage.lifeline, command.dropLast() + formats + ["--", path], folder: folder)
      }
      func contents(_ name: String) throws -> String {
        try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      }
      let formats = ["json", "sarif", "junit", "markdown", "html", "github", "text"]
      let files = ["--report", "text"] + formats.dropLast().flatMap { ["--also", "\($0)=\($0)"] }
      try #expect(report(files, program.path).status == 0)
      let before = try formats.map(contents)
      let result = try report(files, "/bin/true")
      #expect(result.status == 3 && result.output == "", "\(result)")
      for (format, old) in zip(formats, before) {
        let new = try contents(format)
        #expect(new != old && new.contains("/bin/true started without the Swift runtime"), "\(format): \(new)")
        #expect(!new.contains("process 0") && !new.contains("0 events"), "\(format): \(new)")
      }
      try expectValid(contents("json"), "report-1")
      let printed = try report(["--format", "json"], "/bin/true")
      #expect(printed.status == 3)
      try expectValid(printed.output, "report-1")
    }
  }
}
