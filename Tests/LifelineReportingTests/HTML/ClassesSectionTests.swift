import Testing

@testable import LifelineReporting

@Suite("Classes in the HTML report", .timeLimit(.minutes(60)))
struct ClassesSectionTests {
  private func text(of classes: [Report.Class]) -> [String] {
    let table = ClassesSection(classes: classes, live: "live at exit").markup.html
    return table.split(separator: "<tr>").dropFirst().map { row in
      String(row.split(separator: "</tr>")[0]).replacing(#/<\/?(code|wbr|span[^>]*)>/#, with: "")
        .replacing(#/<[^>]*>/#, with: "|").replacing(#/\|+/#, with: "|")
    }
  }

  @Test("A sample's estimates, and objects from before the recording, have columns of their own")
  func estimates() {
    var classes = Array(StoryReport.report.classes[1...2])
    classes[0].allocatedInAll = Report.Estimate(value: 77_077_184, error: 8780)
    classes[0].liveAtExitInAll = Report.Estimate(value: 20_288, error: 1140)
    classes[1].older = 3
    #expect(
      text(of: classes) == [
        "|class|live over time|allocated|older|live at exit|peak live|retains|releases|size"
          + "|allocated in all|live in all|",
        "|DelayedDeallocation.Row 2 gaps|1,204,331|0|317|5,120|99,000|98,683|24|77,077,184 ± 8,780|20,288 ± 1,140|",
        "|DelayedDeallocation.MasterViewController|1|3|1|1|10|10|24|",
      ])
  }

  @Test("Without recorded retains and releases there are no columns for them")
  func lives() {
    var classes = [StoryReport.report.classes[2]]
    classes[0].isCounted = false
    #expect(
      text(of: classes) == [
        "|class|live over time|allocated|live at exit|peak live|size|",
        "|DelayedDeallocation.MasterViewController|1|1|1|24|",
      ])
    classes.append(StoryReport.report.classes[0])
    #expect(
      text(of: classes) == [
        "|class|live over time|allocated|live at exit|peak live|retains|releases|size|",
        "|DelayedDeallocation.MasterViewController|1|1|1|24|",
        "|DelayedDeallocation.DetailViewController|1|0|1|3|4|32|",
      ])
  }
}
