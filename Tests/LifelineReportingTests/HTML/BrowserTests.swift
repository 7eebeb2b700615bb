import Foundation
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite("HTML report in a browser", .needs(.chromium), .serialized, .timeLimit(.minutes(60)))
struct BrowserTests {
  private let html = HTMLFormat(showsSource: true).render(StoryReport.report)

  @Test("Script and style comply with the page's policy, and the console has no messages")
  func policy() throws {
    let (page, console) = try Browser.open(html)
    #expect(page.contains("<html lang=\"en\" class=\"js\" data-script=\"ready\">"))
    #expect(page.contains("Copy as Markdown</button>"))
    #expect(console == "")
  }

  @Test("The policy blocks foreign content: scripts, script attributes, styles and images")
  func foreignScript() throws {
    let attack = """
      <script>document.title = "taken"</script><img src="data:," onerror="document.title = 'taken'">\
      <p style="color: red">x</p><a href="javascript:0">
      """
    let (page, console) = try Browser.open(html.replacingOccurrences(of: "</main>", with: attack + "</main>"))
    #expect(page.contains("<title>program: 1 finding and 1 broken contract · Lifeline</title>"))
    #expect(page.contains("data-script=\"ready\""))
    #expect(console.contains("Content Security Policy"))
  }

  @Test("The scrubber shows each object's holders and count at an event")
  func scrubber() throws {
    let said = try Browser.drive(
      html,
      """
      const figure = document.querySelector("figure.lifeline");
      const slider = figure.querySelector("input[type=range]");
      const at = event => {
        slider.value = figure.querySelector("svg.plot").dataset.events.split(" ").indexOf(String(event));
        slider.dispatchEvent(new Event("input"));
        say("event", event);
        for (const state of figure.querySelectorAll("output .state")) say(state.textContent);
      };
      at(20); at(33); at(38); at(41);
      """)
    #expect(
      said == """
        event 20
        DetailViewController#1: strong count 1, held by MasterViewController#1.detail, since event 2
        FetchedResultsController#1: strong count 3, held by DetailViewController#1.controller, since event 5; \
        NotificationCenter's observers, since event 10; NotificationCenter.post(name:object:) (transient, \
        rule notification-post), since event 20
        event 33
        DetailViewController#1: in its deinit
        FetchedResultsController#1: strong count 1, held by NotificationCenter.post(name:object:) (transient, \
        rule notification-post), since event 20
        event 38
        DetailViewController#1: dead, freed at event 35
        FetchedResultsController#1: strong count 1, held by NotificationCenter.post(name:object:) (transient, \
        rule notification-post), since event 20
        event 41
        DetailViewController#1: dead, freed at event 35
        FetchedResultsController#1: in its deinit
        """)
  }

  @Test("Keys move the cursor, zoom and pan; true time places events by their times")
  func keyboard() throws {
    let said = try Browser.drive(
      html,
      """
      const figure = document.querySelector("figure.lifeline");
      const plot = figure.querySelector("svg.plot");
      const press = (key, shiftKey = false) => \
      plot.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true, cancelable: true }));
      const event = () => figure.querySelector("output b").textContent;
      const band = () => { const b = plot.querySelector(".alive"); \
      return Math.round(parseFloat(b.getAttribute("x"))) + "+" + Math.round(parseFloat(b.getAttribute("width"))); };
      say(event(), band());
      press("ArrowRight"); say(event());
      press("Home"); say(event());
      press("+"); say(band());
      press("ArrowRight", true); say(band());
      press("0"); say(band());
      press("f"); say(band());
      press("t"); say(band());
      press("End"); say(event());
      """)
    #expect(
      said == """
        At event 38 2+59
        At event 39
        At event 2
        2+99
        -18+99
        2+59
        -166+182
        2+69
        At event 43
        """)
  }

  @Test("The script writes the times of the axis in the same form as the page")
  func axis() throws {
    let said = try Browser.drive(
      html,
      """
      const labels = [...document.querySelectorAll("figure.lifeline .axis")[0].querySelectorAll("text")]\
      .map(label => label.textContent);
      for (let index = 0; index < labels.length; index += 2) say(labels[index], labels[index + 1]);
      """)
    let scale = FigureScale(timelines: StoryReport.report.timelines, others: [])
    let times = Dictionary(
      uniqueKeysWithValues: scale.events.indices.map { (String(scale.events[$0]), scale.time($0)) })
    let lines = said.split(separator: "\n").map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
    #expect(lines.count > 4)
    for line in lines { #expect(times[line[0]] == line[1]) }
  }

  @Test("A tooltip shows the event under the pointer; a click pins it and moves the cursor there")
  func pointer() throws {
    let said = try Browser.drive(
      html,
      """
      const figure = document.querySelector("figure.lifeline");
      const plot = figure.querySelector("svg.plot");
      plot.setPointerCapture = () => {};
      const tooltip = figure.querySelector(".tooltip");
      const over = (selector, type) => {
        const box = plot.querySelector(selector).getBoundingClientRect();
        plot.dispatchEvent(new PointerEvent(type, \
      { clientX: box.left + box.width / 2 + 4, clientY: box.top + box.height / 2, button: 0, bubbles: true }));
      };
      say(tooltip.hidden);
      over(".hold.transient", "pointermove");
      say(tooltip.hidden, tooltip.textContent);
      plot.dispatchEvent(new PointerEvent("pointerleave"));
      say(tooltip.hidden);
      over(".final", "pointerdown"); over(".final", "pointerup");
      say(tooltip.className, tooltip.textContent, figure.querySelector("output b").textContent);
      """)
    #expect(
      said == """
        true
        false NotificationCenter.post(name:object:) (transient, rule notification-post)
        from event 20 until event 41, 14.9 µs
        NotificationCenter._post(_:subject:message:) · DelayedDeallocation.swift:61
        true
        tooltip pinned event 30: final release of DetailViewController#1, count 0
        MasterViewController.closeDetail()  DelayedDeallocation.swift:56
        FetchedResultsController.contextChanged(_:) (inlined)  DelayedDeallocation.swift:33
        closure #1 in FetchedResultsController.init(delegate:)  DelayedDeallocation.swift:23
        NotificationCenter.post(name:object:userInfo:) [libFoundation.so] and 2 more inside it
        main  DelayedDeallocation.swift:61
        __libc_start_main [libc.so.6]
        main thread · 25.3 µs At event 30
        """)
  }

  @Test("A click on a heading sorts the classes, and a part of their name filters them")
  func tables() throws {
    let said = try Browser.drive(
      html,
      """
      const table = document.querySelector("#classes table");
      const names = () => [...table.tBodies[0].rows].filter(row => !row.hidden)\
      .map(row => row.cells[0].textContent.split(".").pop().split(" ")[0]).join(" ");
      const head = table.tHead.rows[0].cells[2];
      head.querySelector("button").click(); say(head.getAttribute("aria-sort"), names());
      head.querySelector("button").click(); say(head.getAttribute("aria-sort"), names());
      table.tHead.rows[0].cells[0].querySelector("button").click(); say(names(), head.hasAttribute("aria-sort"));
      const field = document.querySelector("#classes input");
      field.value = "VIEW delayed"; field.dispatchEvent(new Event("input")); \
      say(names(), "/", document.querySelector("#classes output").textContent);
      """)
    #expect(
      said == """
        descending Row DetailViewController MasterViewController
        ascending DetailViewController MasterViewController Row
        DetailViewController MasterViewController Row false
        DetailViewController MasterViewController / 2 of 3 classes
        """)
  }

  @Test("Objects can be sorted by their end and filtered by their verdict")
  func objects() throws {
    let said = try Browser.drive(
      html,
      """
      const table = document.querySelector("#objects table");
      const names = () => [...table.tBodies[0].rows].filter(row => !row.hidden)\
      .map(row => row.cells[0].textContent).join(" ");
      table.tHead.rows[0].cells[4].querySelector("button").click(); say(names());
      const field = document.querySelector("#objects input");
      field.value = "too early"; field.dispatchEvent(new Event("input")); \
      say(names(), "/", document.querySelector("#objects output").textContent);
      """)
    #expect(
      said == """
        FetchedResultsController#1 DetailViewController#1 Row#12
        DetailViewController#1 / 1 of 3 objects
        """)
  }

  @Test("A link to an event in a sentence leads to the figure and highlights the event's row")
  func eventLinks() throws {
    let said = try Browser.drive(
      html,
      """
      const link = document.querySelector("a.event[data-event='33']");
      link.click();
      const figure = document.querySelector("figure.lifeline");
      say(figure.querySelector("output b").textContent, figure.querySelector("tr.current")\
      .textContent.includes("DetailViewController.__deallocating_deinit"), \
      document.activeElement === figure.querySelector("svg.plot"));
      """)
    #expect(said == "At event 33 true true")
  }

  @Test("The picture of a cycle is just wide enough for its texts, and a small one fits on a phone")
  func cycleRoom() throws {
    func step(_ number: Int, _ property: String?, _ file: String? = nil) -> Report.PathStep {
      Report.PathStep(
        class: "App.Node", property: property, kind: "property", object: "Node#\(number)", file: file,
        line: file == nil ? nil : 12)
    }
    let small = [step(1, "next", "Chat.swift"), step(2, "next"), step(1, nil)]
    let wide = [
      step(1, "theOneThatComesAfter", "ALongNameOfAFile.swift"), step(2, "theOneBefore", "ALongNameOfAFile.swift"),
      step(1, nil),
    ]
    let alone = [step(1, "itselfUnderALongName", "ALongNameOfAFile.swift"), step(1, nil)]
    let pictures = try [small, wide, alone].map { try #require(CycleFigure($0)).markup.html }.joined()
    let said = try Browser.drive(
      html.replacingOccurrences(of: "</main>", with: pictures + "</main>"),
      """
      for (const svg of [...document.querySelectorAll("figure.cycle svg")].slice(-3)) {
        const boxes = [...svg.querySelectorAll("text")].map(text => text.getBBox());
        const width = svg.width.baseVal.value;
        const fits = boxes.every(box => box.x >= 0 && box.x + box.width <= width);
        say(boxes.length > 3 || boxes.length, fits, width < 360);
      }
      """)
    #expect(said == "true true true\ntrue true false\n3 true true")
  }

  @Test("The cursor's line does not cover the event numbers")
  func cursorLine() throws {
    let said = try Browser.drive(
      html,
      """
      const plot = document.querySelector("figure.lifeline svg.plot");
      const bottom = Math.max(...[...plot.querySelectorAll(".axis text")].map(text => {
        const box = text.getBBox();
        return box.y + box.height;
      }));
      say(bottom > 20, plot.querySelector(".cursor").y1.baseVal.value >= bottom);
      """)
    #expect(said == "true true")
  }
}
