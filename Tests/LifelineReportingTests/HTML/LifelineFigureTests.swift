import Testing

@testable import LifelineReporting

@Suite("Lifeline view")
struct LifelineFigureTests {
  private let scale = FigureScale(timelines: [StoryReport.controllerLife], others: [38])

  @Test("Every event in the figure is one step, in order; other events have the place of the last step before them")
  func steps() {
    #expect(scale.events == [5, 8, 9, 10, 11, 12, 20, 32, 33, 38, 41, 42, 43])
    #expect(scale.position(5) == 1)
    #expect(scale.position(8) == 3)
    #expect(scale.position(19) == scale.position(12))
    #expect(scale.position(99) == 25)
    #expect(scale.position(1) == 0)
    #expect(scale.percent(1) == "3.84%")
    #expect(scale.percent(26) == "100.00%")
    #expect(scale.times == scale.times.sorted())
  }

  @Test("A lifetime is late from its last owner's release while a transient hold remains")
  func lateLife() {
    let life = TimelineGeometry(StoryReport.controllerLife, scale)
    #expect(life.late == scale.position(33))
    #expect(life.finalRelease == scale.position(41))
    #expect(life.freed == scale.position(43))
    #expect(life.summary == "freed at event 43")
  }

  @Test(
    """
    If a finding says when the last owner released the object, it is late from there; \
    a hold within one function is not an owner
    """
  )
  func visitors() {
    var timeline = StoryReport.controllerLife
    timeline.events.insert(StoryReport.event(36, "retain", 1, 2, "check()", 9), at: 9)
    timeline.holds[0].endFunction = "DetailViewController.deinit"
    timeline.holds.append(StoryReport.hold("check()", 36, 38, "check()", 9))
    let scale = FigureScale(timelines: [timeline], others: [])
    #expect(TimelineGeometry(timeline, scale).late == scale.position(33))
    #expect(TimelineGeometry(timeline, scale, letGo: [32]).late == scale.position(32))
    #expect(TimelineGeometry(timeline, scale, letGo: [99]).late == scale.position(33))
  }

  @Test("Times are relative to the first event, with a precision that fits the time span")
  func times() {
    func times(_ offsets: UInt64...) -> [String] {
      let timeline = Report.ObjectTimeline(
        object: StoryReport.detail, role: "subject",
        events: offsets.enumerated().map { index, offset in
          var event = StoryReport.event(UInt64(index), "retain", 1, nil, "f()", 1)
          event.time = 610_000 + offset
          return event
        }, holds: [], omittedEvents: 0)
      let scale = FigureScale(timelines: [timeline], others: [])
      return scale.events.indices.map(scale.time)
    }
    #expect(times(0, 90, 999) == ["610 µs", "+90 ns", "+999 ns"])
    #expect(times(0, 77_240, 1_143_250) == ["610 µs", "+77.2 µs", "+1,143.2 µs"])
    #expect(times(0, 1_143_250, 10_000_000) == ["610 µs", "+1.1 ms", "+10.0 ms"])
    #expect(times(0, 60_000_000_000) == ["610 µs", "+60.0 s"])
    #expect(times(0, 0, 77_240) == ["610 µs", "", "+77.2 µs"])
    #expect(times(0, 0) == ["610 µs", ""])
  }

  @Test("A lifetime that its owner ends is not late, and accesses after the free are counted")
  func deadLife() {
    let life = TimelineGeometry(StoryReport.detailLife, FigureScale(timelines: [StoryReport.detailLife], others: []))
    #expect(life.late == nil)
    #expect(life.summary == "freed at event 35, used 3 times after that")
  }

  @Test("An object that is live at the end has no dead part")
  func openLife() {
    var timeline = StoryReport.detailLife
    timeline.events.removeAll { $0.event >= 30 }
    let life = TimelineGeometry(timeline, FigureScale(timelines: [timeline], others: []))
    #expect(life.freed == nil)
    #expect(life.summary == "live at the end")
  }

  @Test(
    """
    The figure shows holds, the transient hold with its rule, the final release, the accesses \
    and the message
    """
  )
  func shapes() {
    let html = LifelineFigure(
      [StoryReport.detailLife, StoryReport.controllerLife], finding: StoryReport.finding, anchor: "f"
    ).markup.html
    func count(_ text: String) -> Int { html.components(separatedBy: text).count - 1 }
    #expect(count("class=\"tip hold owner\"") == 7)
    #expect(count("class=\"tip hold transient\"") == 1)
    #expect(
      html.contains(
        "data-holder=\"NotificationCenter.post(name:object:) (transient, rule notification-post)\" data-from=\"20\""))
    #expect(count("class=\"tip final\"") == 2)
    #expect(count("class=\"tip fault\"") == 3)
    #expect(count("class=\"tip retain\"") == 7)
    #expect(count("class=\"tip release\"") == 7)
    #expect(count("class=\"late\"") == 2, "the one late lifetime, and the legend")
    #expect(count("class=\"message\"") == 1)
    #expect(count("#mark-weak") == 1)
    #expect(count("#mark-unowned") == 1)
    #expect(
      html.contains(
        "<title>event 33: release of FetchedResultsController#1, count 1\nDetailViewController.__deallocating_deinit\n"
          + "DelayedDeallocation.swift:47 · main thread · 27.4 µs</title>"
      ))
  }

  @Test("A near miss is marked where the object was used without an owner")
  func nearMiss() {
    var finding = StoryReport.late
    finding.kind = "near-miss"
    finding.backtraces.append(StoryReport.backtrace("access", 32, [StoryReport.frame("check()", 9)]))
    let html = LifelineFigure([StoryReport.controllerLife], finding: finding, anchor: "f").markup.html
    #expect(html.contains("<use class=\"tip near-miss\" href=\"#mark-fault\" data-event=\"32\""))
    #expect(
      !LifelineFigure([StoryReport.controllerLife], finding: StoryReport.late, anchor: "f").markup.html.contains(
        "tip near-miss"))
  }

  @Test("The finding's window goes from the last owner's release to the access")
  func window() throws {
    let window = try #require(FindingWindow(StoryReport.finding))
    #expect(window.from == 30)
    #expect(window.to == 38)
  }

  @Test("Of thousands of holds the figure shows the transient and the longest, by holder, and counts the rest")
  func manyHolds() {
    let visits = (1...3000).map { StoryReport.hold("visit\($0 % 100)", $0, $0 + 1 + $0 % 100, "f()", 1) }
    let post = StoryReport.hold("post", 2990, 2995, rule: "notification-post", "post()", 2)
    let owner = StoryReport.hold("Owner#1.field", 1, 2999, "init()", 3)
    let selection = HoldSelection(visits + [post, owner])
    #expect(selection.lanes.count == HTMLFormat.Limits.lanes)
    #expect(selection.lanes.suffix(2).map(\.name) == ["post (transient, rule notification-post)", "Owner#1.field"])
    #expect(selection.lanes.first?.name == "visit78")
    #expect(selection.lanes.first?.holds.count == HTMLFormat.Limits.holdsOfLane)
    #expect(selection.omitted == 3002 - 22 * 20 - 2)
  }

  @Test("Of a long lifetime the figure shows the beginning, the end and the faults, and counts the rest")
  func longLife() {
    var timeline = StoryReport.detailLife
    timeline.events = (1...5000).map {
      StoryReport.event($0, $0 == 2500 ? "useAfterFree" : "retain", $0 == 2500 ? 0 : 1, nil, "f()", 1)
    }
    timeline.omittedEvents = 7
    let figure = LifelineFigure([timeline], finding: nil, anchor: "f", events: 400)
    #expect(figure.timelines[0].events.count == 400)
    #expect(figure.timelines[0].events.contains { $0.event == 2500 })
    #expect(figure.markup.html.contains("4,607 events in the middle of histories left out"))
    #expect(figure.target(of: 2500) == "f-0-e2500")
    #expect(figure.target(of: 2501) == nil)
  }
}
