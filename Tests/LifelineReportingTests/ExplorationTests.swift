import LifelineTrace
import Testing

@testable import LifelineReporting

/// What `lifeline explore` reports about its schedules.
@Suite struct ExplorationTests {
  @Test("A find is reported with its run, its seed, how often the seed repeats it, and the places of both threads")
  func find() {
    var report = SampleReport.report([SampleReport.finding()])
    report.exploration = SampleReport.exploration
    let text = TextFormat().render(report)
    let expected = """

      Exploration
        Found in run 12, with a hold at a racing pair. Tried: 12 runs of 3,456 points in 1.5 s; \
      1 run exceeded the limit and was stopped.
        Racing places tried in both orders: 2 of 5.
        To repeat it: --seed 4611686018780447488 (repeated in 9 of 10 runs).

      The schedule
        worker is held in Poller.tick() (Poller.swift:18) before its use of Screen#1; \
      meanwhile main thread frees it in App.close() (App.swift:26).

      """
    #expect(text.contains(expected), "\(text)")
  }

  @Test(
    "A hold at a meeting point says what the thread did before or does next",
    arguments: [
      ("lock", true, "before it takes a lock, until another thread has had it."),
      ("unlock", false, "after it releases a lock, for 2 ms."),
      ("wait", false, "after its wait, for 2 ms."),
      ("signal", false, "after it signals other threads, for 2 ms."),
      ("enqueue", false, "before it enqueues work, for 2 ms."),
      ("run", false, "before this starts, for 2 ms."),
      ("switch", false, "before its task continues there, for 2 ms."),
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

  @Test("Without a find the verdict says what was tried, not that the program is clean")
  func nothing() {
    var report = SampleReport.report([])
    report.exploration = Report.Exploration(
      runs: 101, stopped: 0, points: 2000, racingSites: 3, reversedSites: 1, duration: 1_000_000_000)
    report.verdict = "none"
    report.noVerdictReason = report.exploration?.withoutFind
    let text = TextFormat().render(report)
    #expect(
      text.contains(
        "\nVerdict: no problem in 101 runs of 2,000 points, 1 of 3 racing places tried in both orders\n"),
      "\(text)")
    #expect(!text.contains("clean"))
  }

  @Test("A problem without a finding is the verdict in every format, instead of 'clean'")
  func problem() {
    var report = SampleReport.report([])
    report.exploration = SampleReport.exploration
    report.exploration?.problem = "the program crashed: SIGTRAP ended it; by itself it exited with status 0"
    report.verdict = "findings"
    let expected = "the program crashed: SIGTRAP ended it; by itself it exited with status 0"
    #expect(TextFormat().render(report).contains("\nVerdict: \(expected)\n"))
    #expect(GitHubFormat().render(report).hasSuffix("::error title=Lifeline::Verdict: \(expected).\n"))
    #expect(MarkdownFormat().render(report).hasPrefix("## Lifeline: ❌ \(expected)\n"))
    #expect(JUnitFormat().render(report).contains("<failure message=\"\(expected)\" type=\"findings\">"))
    #expect(HTMLFormat().render(report).contains("<p class=\"verdict error\">\(expected)</p>"))
  }

  @Test("A crash, a different end and a hang are compared with what the program does by itself")
  func sentences() {
    let crash = Recording.End.signal(5), failure = Recording.End.exit(1), proper = Recording.End.exit(0)
    #expect(
      ProblemWording.otherEnd(crash, natural: proper, byItself: (0, 5))
        == "the program crashed: SIGTRAP ended it; by itself it exited with status 0")
    #expect(
      ProblemWording.otherEnd(crash, natural: proper, byItself: (2, 5))
        == "the program crashed: SIGTRAP ended it, by itself in 2 of 5 runs")
    #expect(
      ProblemWording.otherEnd(failure, natural: proper, byItself: (0, 5))
        == "the program ended differently than without holds: it exited with status 1")
    #expect(
      ProblemWording.otherEnd(failure, natural: proper, byItself: (1, 5))
        == "the program does not always end the same way: it exited with status 1, by itself in 1 of 5 runs")
    #expect(ProblemWording.naturalCrash(crash) == "the program crashed by itself: SIGTRAP ended it")
    #expect(
      ProblemWording.hang(limit: 3_000_000_000, natural: 12_000_000, byItself: (0, 5))
        == "the program did not end within 3 s; by itself it took 12 ms")
    #expect(
      ProblemWording.stopped(1, of: 101, limit: 3_000_000_000, natural: 2_000_000_000)
        == "1 of 101 runs was stopped after 3 s (--limit), so the outcome of it is unknown; "
        + "by itself the program took 2 s")
  }

  @Test(
    "The summary says how to repeat a find and how often that worked, and suggests no seed that never worked",
    arguments: [
      (9, 10, 7, "To repeat it: --seed 7 (repeated in 9 of 10 runs)."),
      (1, 1, 7, "To repeat it: --seed 7 (repeated in 1 of 1 run)."),
      (4, 10, 7, "To repeat it, in less than half of the runs: --seed 7 (repeated in 4 of 10 runs)."),
      (0, 10, nil, "It could not be repeated (in 0 of 10 runs), so there is no seed."),
      (6, 10, nil, "It was repeated in 6 of 10 runs with the same holds, which are too many for a seed."),
    ] as [(Int, Int, UInt64?, String)])
  func again(_ shown: Int, _ of: Int, _ seed: UInt64?, _ sentence: String) {
    var exploration = SampleReport.exploration
    (exploration.shownAgain, exploration.shownAgainOf, exploration.seed) = (shown, of, seed)
    #expect(ExplorationWording(exploration: exploration).summary.last == sentence)
  }

  @Test("A find that also happens without holds is reported as such, without the sentence that no object is shared")
  func byItself() {
    var exploration = SampleReport.exploration
    (exploration.seed, exploration.shownAgain, exploration.shownAgainOf) = (nil, nil, nil)
    (exploration.byItself, exploration.byItselfOf, exploration.racingSites) = (2, 5, 0)
    let summary = ExplorationWording(exploration: exploration).summary
    #expect(summary.count == 2 && summary[0].hasPrefix("Found in run 12"))
    #expect(summary[1] == "It also happens without holds: in 2 of 5 runs.")
  }

  @Test("Runs under a seed are counted as runs")
  func seed() {
    let exploration = Report.Exploration(
      runs: 11, stopped: 0, points: 2000, racingSites: 3, reversedSites: 1, duration: 1_000_000_000, givenSeed: 7)
    #expect(
      exploration.withoutFind == "no problem in 11 runs of 2,000 points, 1 of 3 racing places tried in both orders")
  }

  @Test("A run that the limit stopped is reported as such, not as killed by a signal")
  func limit() {
    var report = SampleReport.report([])
    report.program.exitStatus = nil
    report.program.limit = 3_000_000_000
    #expect(TextFormat().render(report).contains(") was stopped after 3 s (--limit)\n"))
    #expect(HTMLFormat().render(report).contains("<dd>after 3 s (--limit)</dd>"))
  }

  @Test("Holds that differ only in their duration are one line, and a hold that the run ended says so")
  func folded() {
    var exploration = SampleReport.exploration
    var hold = exploration.schedule[0]
    hold.isFreed = false
    let ended = hold
    hold.end = nil
    hold.isFreed = nil
    hold.isOvertaken = false
    hold.microseconds = nil
    exploration.schedule = [ended, hold]
    for time: UInt64 in [2000, 3000, 1000] {
      hold.microseconds = time
      exploration.schedule.append(hold)
    }
    let begin = "worker is held in Poller.tick() (Poller.swift:18) before its use of Screen#1"
    #expect(
      ExplorationWording(exploration: exploration).schedule == [
        begin + "; meanwhile main thread releases its last owner's reference in App.close() (App.swift:26).",
        begin + ", until the run ended.", begin + ", for up to 3 ms (3 times).",
      ])
  }

  @Test("The output of a crash is shortened to the message and the crashed thread")
  func lastOutput() {
    let text = """
      begin
      main.swift:6: Fatal error: Index out of range

      *** Program crashed: Illegal instruction at 0x1 ***

      Thread 0 "Traps":

      0 wait in libc.so.6

      Thread 1 crashed:

      0 [ra] main + 1 in Traps at main.swift:6:8

      Thread 2:

      0 wait in libc.so.6

      Registers:

      rax 0x0

      Images (3 omitted):

      0x1 Traps
      """
    let expected = """
      main.swift:6: Fatal error: Index out of range
      *** Program crashed: Illegal instruction at 0x1 ***
      Thread 1 crashed:
      0 [ra] main + 1 in Traps at main.swift:6:8
      """
    #expect(LastOutput(text).text == expected)
    #expect(LastOutput("one\ntwo\n").text == "one\ntwo")
  }

  @Test("The page draws a line for each thread, with the end between the hold and its continuation")
  func figure() {
    var report = SampleReport.report([SampleReport.finding()])
    report.exploration = SampleReport.exploration
    let page = HTMLFormat().render(report)
    #expect(
      page.contains("held before use of Screen#1") && page.contains("end of Screen#1") && page.contains("continues"))
  }
}
