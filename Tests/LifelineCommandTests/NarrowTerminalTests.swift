import LifelineTestSupport
import Testing

/// Output at 80 columns for a program with long names.
@Suite(.startsPrograms, .timeLimit(.minutes(60))) struct NarrowTerminalTests {
  private static let source = """
    struct ConfigurationOfTheDistributedPipeline<Input, Output> { var a: Input; var b: Output }
    final class DistributedPipelineStage<Input: Hashable, Output> {
      var next: DistributedPipelineStage<Input, Output>?
      let configuration: ConfigurationOfTheDistributedPipeline<Input, Output>
      init(configuration: ConfigurationOfTheDistributedPipeline<Input, Output>) { self.configuration = configuration }
      @inline(never) func installSuccessorAndRememberItForLater(_ count: Int, configuredWith b: Output) {
        next = DistributedPipelineStage(configuration: .init(a: configuration.a, b: b))
        next?.next = self
      }
    }
    let first = DistributedPipelineStage(configuration: .init(a: ["key": ["value": 1]], b: [Set(["a"])]))
    first.installSuccessorAndRememberItForLater(1, configuredWith: [])
    func lose() {
      let other = DistributedPipelineStage(configuration: .init(a: ["key"], b: [Set(["a"])]))
      other.installSuccessorAndRememberItForLater(2, configuredWith: [])
    }
    lose()
    """
  private static let object =
    "DistributedPipelineStage<Swift.Array<Swift.String>, Swift.Array<Swift.Set<Swift.String>>>#1"

  private func withTrace(_ body: (String) throws -> Void) throws {
    let program = try TestProgram(Self.source, options: ["-Onone", "-g", "-module-name", "App"])
    try withTemporaryFolder { folder in
      try #expect(lifeline(["record", "-q", "-o", "t", program.path], in: folder).status == 0)
      try body(folder)
    }
  }

  private func narrow(_ arguments: [String], in folder: String) throws -> String {
    try CommandResult.run(BuiltPackage.lifeline, arguments, environment: ["COLUMNS": "80"], folder: folder).output
  }

  /// Places such as "main.swift:12", in order.
  private func places(_ text: String) -> [Substring] { text.matches(of: /main\.swift:\d+/).map(\.output) }

  @Test("The hold rules fit the terminal's width")
  func rules() throws {
    let lines = try narrow(["rules"], in: "/").split(separator: "\n")
    #expect(lines.count > 40 && lines.allSatisfy { $0.count <= 80 }, "\(lines.filter { $0.count > 80 })")
  }

  @Test(
    "Each place in a report, a history or a list is complete in lines that fit",
    arguments: [
      ["report", "t"], ["history", "t", object], ["history", "t", object, "--backtraces"], ["objects", "t"],
      ["leaks", "t"], ["profile", "t"],
    ])
  func places(_ arguments: [String]) throws {
    try withTrace { folder in
      let wide = try lifeline(arguments, in: folder).output
      let text = try narrow(arguments, in: folder)
      if arguments[0] != "leaks" { #expect(places(wide).count > 2) }
      if arguments.last == "--backtraces" {
        #expect(Set(places(text)) == Set(places(wide)))
      } else {
        #expect(places(text) == places(wide))
      }
      for line in text.split(separator: "\n") {
        // A name may be longer than a line, and then has a line of its own.
        #expect(line.count <= 80 || !line.drop { $0 == " " }.contains(" "), "\(line)")
      }
    }
  }

  @Test("A leak's path keeps its properties")
  func properties() throws {
    try withTrace { folder in
      let lines = try lifeline(["leaks", "t"], in: folder).output.split(separator: "\n")
      #expect(lines.count { $0.hasSuffix(".next") } == 2, "\(lines)")
      #expect(lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    }
  }

  @Test("A terminal's own width applies without COLUMNS")
  func terminal() throws {
    try withTrace { folder in
      let terminal = try TestTerminal(width: 80, height: 60)
      let history = try terminal.start(
        BuiltPackage.lifeline, ["history", "t", Self.object], folder: folder, limit: .seconds(600))
      let lines = try terminal.wait { $0.contains { $0.hasPrefix("Verdict: ") } }
      try #expect(history.wait() == 0)
      let retain = try #require(lines.firstIndex { $0.contains("retain        +1      2 ") })
      #expect(
        lines[retain + 1].hasPrefix("        DistributedPipelineStage.installSuccessorAndRememberItForLater("))
      #expect(lines[(retain + 1)...(retain + 3)].contains("          main.swift:8"), "\(lines)")
    }
  }
}
