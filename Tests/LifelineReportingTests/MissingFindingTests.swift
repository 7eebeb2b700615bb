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

  @Test("Without any leak in the second run, a leak is missing")
  func none() {
    let first = SampleReport.report([leak("Upload", fingerprint: "1111111111111111")])
    var second = SampleReport.report([SampleReport.finding()])
    second.liveAtExit = [live("Upload", lost: 1, "Upload.init()")]
    #expect(second.missing(from: first).count == 1)
  }
}
