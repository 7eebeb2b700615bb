import LifelineScenarios
import Testing

@testable import LifelineExpectations
@testable import LifelineReporting

@Suite struct ExpectationInspectorTests {
  private static let source = """
    screen = nil  // <- let go
    sheet.press()  // <- press, again
    sheet.press()  // <- again
    """
  private static let marks = SourceMarks([("/s/Story.swift", source)])

  private static func frame(_ line: Int, _ file: String = "/s/Story.swift") -> Report.Frame {
    Report.Frame(
      function: "f()", mangledName: nil, file: file, line: line, column: nil, image: "program", offset: 0,
      isInlined: false, isSystem: false)
  }

  private static func finding(
    _ kind: String = "use-after-free", _ object: String = "Screen#1", severity: String = "error"
  ) -> Report.Finding {
    Report.Finding(
      kind: kind, severity: severity, fingerprint: "f", title: "\(object) was messaged",
      explanation: ["Sheet.press() sent it Screen.close()."],
      object: Report.Object(id: object, class: "App.Screen"), access: "message",
      backtraces: [
        Report.Backtrace(
          role: "access", thread: "main thread", event: 9, frames: [frame(7, "/s/Other.swift"), frame(2)],
          extent: "complete"),
        Report.Backtrace(
          role: "final-release", thread: "main thread", event: 5, frames: [frame(1)], extent: "complete"),
      ], holds: [], path: [], suggestion: nil)
  }

  private static func report(_ findings: [Report.Finding], live: Int = 0, status: Int? = 0, signal: Int? = nil)
    -> Report
  {
    Report(
      program: .init(path: "/p", arguments: [], processID: 1, exitStatus: status, signal: signal),
      recording: .init(
        toolchain: "", method: "", events: [:], lostEvents: 0, unseen: [:], duration: 0, threads: 1, remarks: []),
      verdict: findings.isEmpty ? "clean" : "findings", noVerdictReason: nil,
      classes: [
        .init(
          name: "App.Screen", allocated: 2, liveAtExit: live, peakLive: 2, instanceSize: 16, retains: 0, releases: 0,
          countGaps: 0, liveOverTime: [])
      ], findings: findings, liveAtExit: [], timelines: [])
  }

  private func failures(_ expectations: [ScenarioExpectation], _ report: Report, ending: Variant.Ending = .exit(0))
    -> [String]
  {
    ExpectationInspector(Variant("v", "", ending: ending, expect: expectations) {}, marks: Self.marks).failures(report)
  }

  @Test("A finding with the expected kind, object, message and lines meets the expectation")
  func asExpected() {
    let pattern = ScenarioExpectation.found(
      "use-after-free", "Screen#1", severity: "error", access: "message", message: "Screen.close()",
      lines: ["access": "press", "final-release": "let go"])
    #expect(failures([pattern], Self.report([Self.finding()])) == [])
    #expect(failures([pattern], Self.report([])) == ["use-after-free Screen#1 was not found."])
  }

  @Test(
    "Each difference from the expectation is named",
    arguments: [
      (ScenarioExpectation.found("use-after-free", "Screen#1", access: "read"), "the access is message"),
      (.found("use-after-free", "Screen#1", severity: "note"), "its severity is error"),
      (.found("use-after-free", "Screen#1", message: "Screen.open()"), "'Screen.open()' is not mentioned"),
      (.found("use-after-free", "Screen#1", holder: "Timer"), "'Timer' is not a holder"),
      (.found("use-after-free", "Screen#1", lines: ["access": "let go"]), "access is at line 2 instead of 1, 'let go'"),
      (.found("use-after-free", "Screen#1", lines: ["hold": "press"]), "there is no backtrace 'hold'"),
      (
        .found("use-after-free", "Screen#1", lines: ["access": "again"]),
        "the mark 'again' is not on exactly one source line"
      ),
      (
        .found("use-after-free", "Screen#1", lines: ["access": "misspelt"]),
        "the mark 'misspelt' is not on exactly one source line"
      ),
    ])
  func differences(_ expectation: ScenarioExpectation, _ reason: String) {
    #expect(
      failures([expectation], Self.report([Self.finding()])) == [
        "use-after-free Screen#1 was not found: \(reason).",
        "use-after-free Screen#1 is not expected: Screen#1 was messaged.",
      ])
  }

  @Test("An unexpected error or warning is a failure; an unexpected note is not")
  func unexpected() {
    #expect(
      failures([], Self.report([Self.finding()])) == ["use-after-free Screen#1 is not expected: Screen#1 was messaged."]
    )
    #expect(failures([], Self.report([Self.finding("near-miss", severity: "warning")])).count == 1)
    #expect(failures([], Self.report([Self.finding("late-deallocation", severity: "note")])) == [])
    #expect(
      failures([.absent("late-deallocation")], Self.report([Self.finding("late-deallocation", severity: "note")]))
        == ["late-deallocation Screen#1 must not be found: Screen#1 was messaged."])
  }

  @Test("The short name of a nested class matches, but a partial name or another number does not")
  func nestedNames() {
    let nested = Self.report([Self.finding("use-after-free", "Checkout.Screen#1")])
    #expect(failures([.found("use-after-free", "Screen#1")], nested) == [])
    #expect(failures([.found("use-after-free", "creen#1")], nested).count == 2)
    #expect(failures([.found("use-after-free", "Screen#2")], nested).count == 2)
  }

  @Test("Objects live at exit are counted by class; a class that was never allocated is a mistake")
  func live() {
    #expect(failures([.live("Screen", count: 1)], Self.report([], live: 1)) == [])
    #expect(
      failures([.live("Screen", count: 0)], Self.report([], live: 1)) == ["1 of Screen are live at exit instead of 0."])
    #expect(failures([.live("Scren", count: 0)], Self.report([])) == ["No Scren was allocated."])
  }

  @Test("A crash is compared with the expected ending")
  func endings() {
    let crash = Self.report([], status: nil, signal: 11)
    #expect(failures([], crash) == ["The process was ended by SIGSEGV instead of exiting with status 0."])
    #expect(failures([], crash, ending: .signal(11)) == [])
    #expect(
      failures([], Self.report([], status: 1)) == ["The process exited with status 1 instead of exiting with status 0."]
    )
  }
}
