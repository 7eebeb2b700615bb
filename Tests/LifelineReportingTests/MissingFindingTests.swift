@testable import LifelineReporting
import Testing

/// What a second run did not show.
@Suite struct MissingFindingTests {
  private func leak(_ text: String, fingerprint: String) -> Report.Finding {
    var finding = SampleReport.finding(text)
    (finding.kind, finding.fingerprint) = ("leak", fingerprint)
    return finding
  }

  private func live(_ text: String, lost: Int, _ function: String) -> Report.Live {
    Report.Live(
      class: "App.\(text)", count: 1, bytes: 32, first: "\(text)#1",
      backtrace: SampleReport.backtrace("allocation", event: 1, [SampleReport.frame(function)]), lost: lost)
  }

  @Test(
    "A leak with another fingerprint is not missing if its object, allocated at the same place, is lost in another one",
    arguments: [
      ("Upload", 1, "Upload.init()", true), ("Upload", 0, "Upload.init()", false),
      ("Upload", 1, "Upload.copy()", false), ("Worker", 1, "Worker.init()", false),
    ])
  func merged(_ text: String, _ lost: Int, _ function: String, _ isShown: Bool) {
    let first = SampleReport.report([leak("Upload", fingerprint: "1111111111111111")])
    var second = SampleReport.report([leak("Worker", fingerprint: "2222222222222222")])
    second.liveAtExit = [live(text, lost: lost, function)]
    #expect(second.missing(from: first).map(\.fingerprint) == (isShown ? [] : ["1111111111111111"]))
  }

  @Test("An object that has another number in the second run is named with both")
  func renumbered() {
    let first = SampleReport.report([leak("Upload", fingerprint: "1111111111111111"), SampleReport.finding("Worker")])
    var second = first
    #expect(second.renumbered(from: first).isEmpty)
    second.findings[0].object.id = "Upload#3"
    let names = second.renumbered(from: first)
    #expect(names.map(\.first) == [first.findings[0].object.id] && names.map(\.here) == ["Upload#3"])
  }

  @Test("Of several findings with one fingerprint, none is said to be that of another run")
  func ambiguous() {
    let leaks = [leak("Upload", fingerprint: "1111111111111111"), leak("Upload", fingerprint: "1111111111111111")]
    let first = SampleReport.report(leaks)
    var second = first
    second.findings[0].object.id = "Upload#3"
    #expect(second.renumbered(from: first).isEmpty)
    #expect(SampleReport.report([second.findings[0]]).renumbered(from: first).isEmpty)
    #expect(second.renumbered(from: SampleReport.report([leaks[0]])).isEmpty)
  }

  /// A run of two processes of one program with different arguments.
  private func run(_ ends: [(argument: String, status: Int?)]) -> Report {
    Report(
      combining: ends.enumerated().map { index, end in
        var report = SampleReport.report(index == 0 ? [leak("Upload", fingerprint: "1111111111111111")] : [])
        (report.program.path, report.program.arguments) = ("/bin/AppTests", [end.argument])
        (report.program.processID, report.program.exitStatus) = (100 + index, end.status)
        return report
      }, leading: 0)
  }

  @Test("The ends of two runs' processes are compared program by program, by their arguments, in any order")
  func ends() {
    let first = run([("xctest", 0), ("testing", nil)])
    #expect(run([("testing", nil), ("xctest", 0)]).otherEndings(than: first) == [])
    #expect(
      run([("testing", 1), ("xctest", 0)]).otherEndings(than: first)
        == ["AppTests exited with status 1, while the first did not exit (crashed, killed or still running)"])
    #expect(run([("testing", 1), ("testing", 0)]).otherEndings(than: first) == [])
  }

  @Test("A run that a finding ended does not differ from one that crashed")
  func stopped() {
    let crashed = {
      var report = SampleReport.report([])
      (report.program.exitStatus, report.program.signal) = (nil, 11)
      return report
    }()
    var stopped = crashed
    (stopped.program.signal, stopped.program.isStoppedByFinding) = (6, true)
    #expect(stopped.otherEndings(than: crashed) == [] && crashed.otherEndings(than: stopped) == [])
    stopped.program.isStoppedByFinding = nil
    #expect(crashed.otherEndings(than: stopped) == ["it was ended by SIGSEGV, while the first was ended by SIGABRT"])
  }

  @Test(
    "A use after free is not missing if another use of such an object, with the same ends, is shown",
    arguments: [
      ("Upload", "Upload.init()", "use-after-free", true), ("Upload", "Upload.copy()", "use-after-free", false),
      ("Worker", "Upload.init()", "use-after-free", false), ("Upload", "Upload.init()", "leak", false),
    ])
  func otherUse(_ text: String, _ allocation: String, _ kind: String, _ isShown: Bool) {
    func use(_ text: String, _ allocation: String, _ kind: String, fingerprint: String) -> Report.Finding {
      var finding = SampleReport.finding(text)
      (finding.kind, finding.fingerprint) = (kind, fingerprint)
      finding.backtraces = [("allocation", allocation), ("final-release", "close()")].map { role, function in
        SampleReport.backtrace(role, event: 1, [SampleReport.frame(function)])
      }
      return finding
    }
    let first = SampleReport.report([use("Upload", "Upload.init()", "use-after-free", fingerprint: "1111111111111111")])
    let second = SampleReport.report([use(text, allocation, kind, fingerprint: "2222222222222222")])
    #expect(second.missing(from: first).map(\.fingerprint) == (isShown ? [] : ["1111111111111111"]))
  }

  @Test("A finding of the first run alone names the process of the same arguments, or none of several")
  func process() {
    let first = run([("xctest", 0), ("testing", 0)])
    func index(_ ends: [(String, Int?)]) -> Int? {
      var second = run(ends)
      second.findings = []
      return second.explaining(first, isWhole: true).findings[0].process
    }
    #expect(index([("testing", 0), ("xctest", 0)]) == 1)
    #expect(index([("xctest", 0), ("xctest", 0)]) == nil)
    #expect(index([("testing", 0), ("other", 0)]) == nil)
  }

  @Test("Without any leak in the second run, a leak is missing")
  func none() {
    let first = SampleReport.report([leak("Upload", fingerprint: "1111111111111111")])
    var second = SampleReport.report([SampleReport.finding()])
    second.liveAtExit = [live("Upload", lost: 1, "Upload.init()")]
    #expect(second.missing(from: first).count == 1)
  }

  @Test("If the second run was stopped, numbers are the first run's, with what the second one explains")
  func numbersOfFirst() {
    var many = leak("Upload", fingerprint: "1111111111111111"), one = many
    (many.count, many.title) = (320, "A retain cycle keeps Upload#1 alive (and 319 more like it)")
    one.explanation = ["Upload.next has held Upload#1 since it was stored (event 7, main thread)."]
    var first = SampleReport.report([many])
    first.program.processID = 4712
    let second = SampleReport.report([one])
    let whole = second.explaining(first, isWhole: true), part = second.explaining(first, isWhole: false)
    #expect(whole.findings == [one] && whole.program.processID == 4711)
    #expect(part.findings.map(\.count) == [320] && part.program.processID == 4712)
    #expect(part.findings[0].explanation.last == "In the second run, which showed fewer: \(one.explanation[0])")
  }
}
