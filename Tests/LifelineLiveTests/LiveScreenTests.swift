import Testing

@testable import LifelineLive

@Suite struct LiveScreenTests {
  private func row(_ name: String, live: Int, allocated: Int = 1000) -> LiveRow {
    var row = LiveRow(name: name)
    row.live = live
    row.bytes = 32 * live
    row.allocated = allocated
    return row
  }

  private func snapshot(_ rows: [LiveRow]) -> LiveSnapshot {
    var snapshot = LiveSnapshot()
    snapshot.program = "/bin/app"
    snapshot.process = 4711
    snapshot.elapsed = 72_000_000_000
    snapshot.rows = rows
    snapshot.oldest = (1...9).map {
      .init(
        address: 0x1000 * $0, className: "App.Old\($0)", age: 5_000_000_000, size: 32, place: "make()  main.swift:\($0)"
      )
    }
    return snapshot
  }

  private func screen(_ rows: [LiveRow]) -> LiveScreen {
    var screen = LiveScreen()
    screen.show(snapshot(rows))
    return screen
  }

  private func text(_ screen: LiveScreen, width: Int = 80, height: Int = 24) -> [String] {
    screen.lines(width: width, height: height).map(\.text)
  }

  private func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + LiveText.width($1) } }

  @Test("Classes are sorted by live objects, growth or name, and the selection stays on its class")
  func sort() {
    var screen = screen([row("App.A", live: 5), row("App.B", live: 50), row("App.C", live: 20)])
    #expect(screen.rows.map(\.name) == ["App.B", "App.C", "App.A"])
    #expect(screen.press(.down) == nil)
    #expect(text(screen).contains { $0.hasPrefix("> App.C") })
    _ = screen.press(.character("m"))
    screen.show(snapshot([row("App.A", live: 35), row("App.B", live: 49), row("App.C", live: 21)]))
    _ = screen.press(.character("s"))
    #expect(screen.rows.map(\.name) == ["App.A", "App.C", "App.B"])
    let lines = text(screen)
    #expect(lines[1].hasPrefix("live 105 (+30 since mark 1)"))
    #expect(lines.contains { $0.hasPrefix("  App.A") && $0.contains("+30") })
    #expect(lines.contains { $0.hasPrefix("> App.C") && $0.contains("+1") })
    #expect(lines.contains { $0.hasPrefix("  App.B") && $0.contains("-1") })
    for _ in 0..<4 { _ = screen.press(.character("s")) }
    #expect(screen.sort == .name && screen.rows.map(\.name) == ["App.A", "App.B", "App.C"])
  }

  @Test("A filter is typed, kept with Enter and removed with Esc")
  func filter() {
    var screen = screen([row("App.Session", live: 5), row("App.Node", live: 50)])
    for key in "/SESq" { #expect(screen.press(.character(key)) == nil) }
    #expect(screen.rows.isEmpty)
    #expect(text(screen).contains { $0.contains("no class has 'SESq'") })
    _ = screen.press(.back)
    #expect(screen.rows.map(\.name) == ["App.Session"])
    #expect(text(screen).last!.hasPrefix("/SES_"))
    _ = screen.press(.enter)
    #expect(text(screen).last!.contains("[SES]"))
    _ = screen.press(.leave)
    #expect(screen.rows.count == 2)
  }

  @Test("Enter opens a class, then an object's history; Esc goes back; q quits from anywhere")
  func open() {
    var screen = screen([row("App.Session", live: 5), row("App.Node", live: 50)])
    #expect(screen.press(.enter) == .open("App.Node") && screen.openClass == "App.Node")
    let objects = snapshot([]).oldest
    screen.show(LiveDetail(className: "App.Other"))
    screen.show(
      LiveDetail(className: "App.Node", sites: [.init(place: "make()  main.swift:3", live: 50)], objects: objects))
    #expect(text(screen).contains { $0.hasPrefix("  50  make()  main.swift:3") })
    _ = screen.press(.down)
    #expect(text(screen).contains { $0.hasPrefix("> 5 s         0x2000") })
    #expect(screen.press(.enter) == .history(objects[1]))
    screen.show(history: (1...100).map { "event \($0)" })
    #expect(text(screen)[2].hasPrefix("event 1 "))
    _ = screen.press(.end)
    #expect(text(screen)[2].hasPrefix("event 100 "))
    #expect(screen.press(.character("q")) == .quit)
    _ = screen.press(.leave)
    #expect(text(screen).contains { $0.hasPrefix("oldest objects") })
    _ = screen.press(.leave)
    #expect(screen.openClass == nil && text(screen).contains { $0.hasPrefix("> App.Node") })
  }

  @Test(
    "Every line fills the width, whatever the size and the names",
    arguments: [(80, 24), (200, 60), (81, 25), (40, 10), (10, 3), (1, 1)])
  func size(_ columns: Int, _ height: Int) {
    let hostile = [
      "App.\u{1B}[2J\u{7}", String(repeating: "x", count: 100_000), "App.日本語のクラス名はとても長いことがあります、本当に長い",
      "e\u{301}\u{302}\u{303}", "App.\u{202E}drah", "", "a\nb\rc\td", String(repeating: "\u{301}", count: 100_000),
      "🏳️‍🌈👩‍👩‍👧‍👦",
    ]
    var screen = screen(hostile.enumerated().map { row($1, live: $0 * 1_000_000_000) })
    var pages = [screen]
    _ = screen.press(.enter)
    screen.show(
      LiveDetail(
        className: screen.openClass!, sites: hostile.map { .init(place: $0, live: 7) }, objects: snapshot([]).oldest))
    pages.append(screen)
    _ = screen.press(.enter)
    screen.show(history: hostile)
    pages.append(screen)
    for page in pages {
      let lines = text(page, width: columns, height: height)
      #expect(lines.count == height)
      for line in lines {
        #expect(width(line) == columns)
        #expect(
          !line.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || $0.value == 0x202E })
      }
    }
  }

  @Test("The selected class is visible, however many there are")
  func many() {
    var screen = screen((1...500).map { row("App.C\($0)", live: 1000 - $0) })
    for key in [LiveKey.end, .pageUp, .up, .home, .pageDown, .down] {
      _ = screen.press(key)
      #expect(text(screen).count { $0.hasPrefix("> App.C") } == 1)
    }
    _ = screen.press(.end)
    #expect(text(screen).contains { $0.hasPrefix("> App.C500 ") })
    screen.show(snapshot([row("App.New", live: 1)]))
    #expect(text(screen).contains { $0.hasPrefix("> App.New") })
  }

  @Test("Space that the classes leave is for the oldest objects, then for findings")
  func free() {
    let few = text(screen([row("App.A", live: 5), row("App.B", live: 50)]))
    #expect(few.count { $0.contains("App.Old") } == 9)
    #expect(few[8].hasPrefix("  5 s         App.Old1 ") || few.contains { $0.hasPrefix("  5 s         App.Old1 ") })
    let many = text(screen((1...40).map { row("App.C\($0)", live: $0) }))
    #expect(many.count { $0.contains("App.Old") } == 3 && many.count { $0.contains("App.C") } == 14)
    var shown = snapshot([row("App.A", live: 5)])
    shown.oldest.removeLast(7)
    shown.findings = (1...30).map { .init(kind: "late-deallocation", className: "App.A", title: "A#\($0) died late") }
    shown.findingCount = 30
    var screen = LiveScreen()
    screen.show(shown)
    let findings = text(screen).filter { $0.contains("died late") }
    #expect(findings.count > 3 && findings.last?.hasPrefix("  A#30 ") == true)
    #expect(text(screen).count { $0.contains("App.Old") } == 2)
    #expect(!text(screen)[5...22].contains { $0.allSatisfy { $0 == " " } })
  }

  @Test("Sites that read the same are merged, since their callers are not shown")
  func samePlaces() {
    let detail = LiveDetail(
      className: "App.Node",
      sites: [
        .init(place: "add()  Pipeline.swift:8", live: 16), .init(place: "make()  Pipeline.swift:3", live: 17),
        .init(place: "add()  Pipeline.swift:8", live: 2),
      ])
    #expect(
      detail.sites == [
        .init(place: "add()  Pipeline.swift:8", live: 18), .init(place: "make()  Pipeline.swift:3", live: 17),
      ])
  }

  @Test("In a site that is too long, the function is truncated and the line number stays", arguments: [80, 120])
  func places(_ columns: Int) throws {
    let place = "DistributedPipelineStage.installSuccessorAndRememberItForLater(_:configuredWith:)  Stage.swift:12"
    var shown = snapshot([row("App.A", live: 5)])
    shown.oldest = [.init(address: 0x1000, className: "App.A", age: 5, size: 32, place: place)]
    var screen = LiveScreen()
    screen.show(shown)
    func ends(_ text: String) -> Bool { text.reversed().drop { $0 == " " }.starts(with: "  Stage.swift:12".reversed()) }
    #expect(text(screen, width: columns).count(where: ends) == 1)
    _ = screen.press(.enter)
    screen.show(LiveDetail(className: "App.A", sites: [.init(place: place, live: 5)], objects: shown.oldest))
    let lines = text(screen, width: columns).filter(ends)
    #expect(lines.count == 2)
    #expect(lines.first?.hasPrefix("   5  DistributedPipelineStage.install") == true, "\(lines)")
    #expect(LiveText.place(place, 10) == "Stage.swi…")
  }

  @Test("Findings, the remark and the help are shown")
  func others() {
    var shown = snapshot([row("App.A", live: 5)])
    shown.findings = (1...5).map { .init(kind: "late-deallocation", className: "App.A", title: "A#\($0) died late") }
    shown.findingCount = 5
    shown.remark = "The process was ended by SIGKILL."
    shown.isRunning = false
    var screen = LiveScreen()
    screen.show(shown)
    let lines = screen.lines(width: 80, height: 24)
    #expect(lines[0].text.contains("findings: 5  ended"))
    #expect(lines[3].text.hasPrefix("The process was ended by SIGKILL") && lines[3].style == .alarm)
    #expect(
      lines.suffix(4).map { String($0.text.prefix(14)) }.dropLast() == [
        "  A#3 died lat", "  A#4 died lat", "  A#5 died lat",
      ])
    _ = screen.press(.character("?"))
    #expect(text(screen).contains { $0.hasPrefix("m        mark") })
    _ = screen.press(.character("x"))
    #expect(text(screen).contains { $0.hasPrefix("> App.A") })
  }
}
