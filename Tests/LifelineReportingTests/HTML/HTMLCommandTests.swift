import Foundation
import LifelineTestSupport
import Testing

@Suite("lifeline report --format html", .startsPrograms, .timeLimit(.minutes(60)))
struct HTMLCommandTests {
  @Test("A recorded program's report opens in a browser and shows source lines, except with --no-source")
  func recordedProgram() throws {
    let source = try String(contentsOfFile: StoryReport.source, encoding: .utf8)
    let program = try TestProgram(source, options: ["-Onone", "-g"], file: "Story.swift")
    try withTemporaryFolder { folder in
      func run(_ arguments: String...) throws -> CommandResult {
        try CommandResult.run(
          BuiltPackage.lifeline, arguments, environment: ["LIFELINE_PROBE": BuiltPackage.probe], folder: folder)
      }
      let recorded = try run("record", "--zombies", "-o", "a.lifeline", "--", program.path)
      #expect(recorded.status == 0, "\(recorded.errors)")
      #expect(
        try run("report", "a.lifeline", "--format", "html", "-o", "a.html")
          == CommandResult(output: "", errors: "", status: 0))
      let page = try String(contentsOfFile: folder + "/a.html", encoding: .utf8)
      #expect(page.contains("DetailViewController#1 was messaged"))
      #expect(page.contains("<span class=\"text\">    delegate.controllerWillChangeContent()</span></mark>"))
      #expect(page.contains("<code>lifeline report a.lifeline --format html -o a.html</code>"))
      if TestTool.chromium.isExpected {
        let (opened, console) = try Browser.open(page)
        #expect(opened.contains("data-script=\"ready\""))
        #expect(console == "")
      }
      #expect(
        try run("report", "a.lifeline", "--format", "html").output.contains("DetailViewController#1 was messaged"))
      #expect(
        try !run("report", "a.lifeline", "--format", "html", "--no-source").output.contains(
          "delegate.controllerWillChangeContent()"))
    }
  }
}
