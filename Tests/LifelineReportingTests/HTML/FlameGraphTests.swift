import Foundation
import LifelineLifetimes
import LifelineTestSupport
import Testing

@testable import LifelineReporting

@Suite struct FlameGraphTests {
  /// main calls add (30 objects, 10 live) and drop, which retains 5 times; main itself allocates `extra` objects.
  private static func profile(extra: Int = 0, name: String = "add(_:)") -> CallProfile {
    var tree = CallTree()
    let main = tree.child(
      of: 0, tree.index(of: CallFrame(function: "main", file: "/src/main.swift", line: 3, image: "app")))
    let add = tree.child(
      of: main, tree.index(of: CallFrame(function: name, file: "/src/main.swift", line: 9, image: "app")))
    let drop = tree.child(
      of: main, tree.index(of: CallFrame(function: "drop()", image: "libswiftCore.so", isSystem: true)))
    var allocations = ProfileCost()
    (allocations.allocations, allocations.bytes, allocations.live, allocations.liveBytes) = (30, 960, 10, 320)
    var retains = ProfileCost()
    retains.retains = 5
    var own = ProfileCost()
    own.allocations = extra
    return CallProfile(
      classes: [.init(name: "", instanceSize: 0), .init(name: "App.Node", instanceSize: 32)], tree: tree,
      samples: [
        .init(classIndex: 1, node: add, cost: allocations, late: 0),
        .init(classIndex: 1, node: drop, cost: retains, late: 0),
        .init(classIndex: 1, node: main, cost: own, late: 0),
      ])
  }

  private static func page(_ profile: CallProfile, former: CallProfile? = nil) -> String {
    let report = ProfileReportBuilder(profile, top: 100).build(program: "/bin/app", events: 35, shortened: 0)
    return FlameGraphFormat().render(report, profile, former: former.map { ("/bin/old", $0) })
  }

  @Test("Costs are summed by call and by line, most expensive first")
  func report() throws {
    let profile = Self.profile(extra: 2)
    let report = ProfileReportBuilder(profile, prices: ProfilePrices(reference: 10, allocation: 100), top: 2).build(
      program: "app", events: 0, shortened: 0)
    #expect(report.functions.map(\.function) == ["add(_:)", "main"] && report.omitted.functions == 1)
    #expect(report.functions[1].inclusive.allocations == 32 && report.functions[1].exclusive.allocations == 2)
    #expect(report.functions[1].callees.map(\.function) == ["add(_:)", "drop()"])
    #expect(report.functions[0].callers.map(\.cost.nanoseconds) == [3000])
    #expect(report.lines.map(\.line) == [9, 3])
    #expect(report.lines[1].exclusive.retains == 5, "a library's work counts for the line that called it")
    #expect(report.total.nanoseconds == 32 * 100 + 5 * 10)
    try #expect(JSONSchema(published: "profile-1").problems(JSONFormat().render(report)) == [])
    let text = ProfileTextFormat().render(report)
    #expect(
      text.hasPrefix(
        "app: 5 retains, 0 releases, 32 allocations, 960 B allocated, 10 live at the end, an estimated 3.2 µs\n"))
    #expect(
      text.contains(
        "\nmain.swift:9 add(_:)        0         0           30  960 B    10          0      3 µs          3 µs\n"))
    #expect(text.contains("\n1 more (--top)\n"))
  }

  @Test("A recursive function counts once in its cost with callees")
  func recursion() {
    var tree = CallTree()
    let frame = tree.index(of: CallFrame(function: "visit(_:)", image: "app"))
    let innermost = tree.child(of: tree.child(of: tree.child(of: 0, frame), frame), frame)
    var cost = ProfileCost()
    cost.retains = 3
    let profile = CallProfile(
      classes: [.init(name: "", instanceSize: 0)], tree: tree,
      samples: [.init(classIndex: 0, node: innermost, cost: cost, late: 0)])
    let report = ProfileReportBuilder(profile, top: 9).build(program: "app", events: 3, shortened: 0)
    #expect(report.functions.map(\.inclusive.retains) == [3] && report.functions.map(\.exclusive.retains) == [3])
    #expect(report.functions[0].callers.map(\.cost.retains) == [3])
    #expect(report.classes.map(\.name) == ["(older than the recording)"])
  }

  @Test("A limited tree keeps its largest calls, each with its callers")
  func limit() {
    let tree = FlameTree(Self.profile(), former: nil, order: .code, limit: 3)
    #expect(tree.nodes.map { tree.names[$0.name].text } == ["all", "main", "add(_:)"] && tree.omitted == 1)
    let byClass = FlameTree(Self.profile(), former: Self.profile(extra: 4), order: .class)
    #expect(byClass.nodes.map { byClass.names[$0.name].text } == ["all", "App.Node", "main", "add(_:)", "drop()"])
    #expect(byClass.nodes.map(\.former.allocations) == [34, 34, 34, 30, 0])
  }

  @Test(
    "Names from the program never become markup or end the data",
    arguments: ["</script><script>alert(1)</script>", "<!--", "\"}]};alert(1)//", "a\u{202E}b\u{0}\n"])
  func hostile(_ name: String) throws {
    let page = Self.page(Self.profile(name: name))
    #expect(page.components(separatedBy: "<script").count == 3 && page.components(separatedBy: "</script>").count == 3)
    #expect(!page.contains("<!--") && !page.contains("\u{202E}") && !page.contains("\u{0}"))
    let start = try #require(page.range(of: "id=\"profile\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(page[start.upperBound..<end.lowerBound].utf8))
    }
  }

  @Test(
    "A browser draws the graph under the page's policy without console messages", .startsPrograms, .needs(.chromium))
  func policy() throws {
    let (page, console) = try Browser.open(Self.page(Self.profile()))
    #expect(console == "" && page.contains("data-script=\"ready\""))
    #expect(page.contains("aria-label=\"add(_:): 30 allocations (100.0 % of all)\""))
  }

  @Test(
    "Arrows move, Enter zooms, Escape zooms out, a search marks and sums, and another count changes the widths",
    .startsPrograms, .needs(.chromium))
  func keyboard() throws {
    let said = try Browser.drive(
      Self.page(Self.profile(extra: 10)),
      """
      const flame = document.querySelector(".flame"), detail = document.querySelector(".flame-detail");
      const press = key => flame.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
      const frames = () => [...flame.children]\
      .map(f => f.textContent + " " + Math.round(parseFloat(f.style.width))).join(", ");
      say(frames());
      press("ArrowDown"); press("ArrowDown"); say(detail.textContent.replace("\\n", ": "));
      press("Enter"); say(frames());
      press("Escape"); say(frames());
      const search = document.querySelector(".flame-controls input");
      search.value = "ADD"; search.dispatchEvent(new Event("input"));
      say(flame.querySelectorAll(".match").length, document.querySelector(".flame-controls output").textContent);
      const [widths, order] = document.querySelectorAll(".flame-controls select");
      widths.value = [...widths.options].find(o => o.textContent === "retains").value; \
      widths.dispatchEvent(new Event("change")); say(frames());
      order.value = "class"; order.dispatchEvent(new Event("change")); say(frames());
      """)
    #expect(
      said == """
        all 100, main 100, add(_:) 75
        add(_:): 30 allocations (75.0 % of all)
        all 100, main 100, add(_:) 100
        all 100, main 100, add(_:) 75
        1 30 allocations in matches
        all 100, main 100, drop() 100
        all 100, App.Node 100, main 100, drop() 100
        """)
  }

  @Test(
    "With two traces each call shows its earlier count, and increases and decreases have different colors",
    .startsPrograms,
    .needs(.chromium))
  func difference() throws {
    let said = try Browser.drive(
      Self.page(Self.profile(extra: 10), former: Self.profile(extra: 40)),
      """
      for (const frame of document.querySelectorAll(".frame")) \
      say(frame.getAttribute("aria-label"), frame.style.background.match(/--(more|less|same)/)[1]);
      """)
    #expect(
      said == """
        all: 40 allocations, before 70: −30 less
        main: 40 allocations, before 70: −30 less
        add(_:): 30 allocations, before 30: +0 same
        """)
  }
}
