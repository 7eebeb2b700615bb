import Testing

@testable import LifelineReporting

/// What `lifeline explore` says of its schedules.
@Suite struct ExplorationTests {
  @Test("A find is told with its run, its seed, how often that shows it again, and both threads' places")
  func find() {
    var report = SampleReport.report([SampleReport.finding()])
    report.exploration = SampleReport.exploration
    let text = TextFormat().render(report)
    let expected = """

      Exploration
        Found in run 12, with a hold at a racing pair. Tried: 12 schedules of 3,456 points in 1.5 s; \
      1 run took longer than the limit and was ended.
        5 places where a thread meets objects of another: tried in both orders 2, not 3.
        To see it again: --seed 4611686018780447488 (it did in 9 of 10 runs).

      The schedule that shows it
        worker is held in Poller.tick() (Poller.swift:18) before its use of Screen#1; \
      meanwhile main thread frees it in App.close() (App.swift:26).

      """
    #expect(text.contains(expected), "\(text)")
  }

  @Test(
    "Where threads meet it is told what was done before, or is done next",
    arguments: [
      ("lock", true, "before it takes a lock, until another thread has had it."),
      ("unlock", false, "after it has given back a lock, for 2 ms."),
      ("wait", false, "after its wait, for 2 ms."),
      ("signal", false, "after it has told others to go on, for 2 ms."),
      ("enqueue", false, "before it enqueues work, for 2 ms."),
      ("run", false, "before this begins, for 2 ms."),
      ("switch", false, "before its task goes on there, for 2 ms."),
    ])
  func meeting(_ side: String, _ isOvertaken: Bool, _ text: String) {
    var exploration = SampleReport.exploration
    exploration.schedule[0].before = side
    exploration.schedule[0].end = nil
    exploration.schedule[0].microseconds = 2000
    exploration.schedule[0].isOvertaken = isOvertaken
    #expect(
      ExplorationWording(exploration: exploration).schedule == [
        "worker is held in Poller.tick() (Poller.swift:18) \(text)"
      ])
  }

  @Test("Without a find the answer is what was tried, and never clean")
  func nothing() {
    var report = SampleReport.report([])
    report.exploration = Report.Exploration(
      runs: 101, stopped: 0, points: 2000, racingSites: 3, reversedSites: 1, duration: 1_000_000_000)
    report.verdict = "none"
    report.noVerdictReason = report.exploration?.withoutFind
    let text = TextFormat().render(report)
    #expect(
      text.contains(
        "\nVerdict: no problem in 101 schedules of 2,000 points, 1 racing places tried in both orders, 2 not\n"),
      "\(text)")
    #expect(!text.contains("clean"))
  }

  @Test("The page draws a line for each thread, with the end between the hold and its continuation")
  func figure() {
    var report = SampleReport.report([SampleReport.finding()])
    report.exploration = SampleReport.exploration
    let page = HTMLFormat().render(report)
    #expect(
      page.contains("held before use of Screen#1") && page.contains("end of Screen#1") && page.contains("goes on"))
  }
}
