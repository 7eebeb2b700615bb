import Foundation
import Testing

@testable import LifelineLive

@Suite struct LiveFormatTests {
  private func snapshot(_ rows: [(String, Int, Int)]) -> LiveSnapshot {
    var snapshot = LiveSnapshot()
    snapshot.program = "/bin/my \"app\""
    snapshot.process = 4711
    snapshot.rows = rows.map { name, live, allocated in
      var row = LiveRow(name: name)
      row.live = live
      row.allocated = allocated
      return row
    }.sorted { $0.name < $1.name }
    return snapshot
  }

  /// Values by series, in the exposition format; nil for an invalid line.
  private func series(_ text: String) throws -> [String: Int] {
    var found: [String: Int] = [:]
    let form = /^([a-z_]+\{(?:[a-z]+="(?:[^"\\]|\\["\\n])*",?)*\}) ([0-9]+)$/.matchingSemantics(.unicodeScalar)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() where !line.hasPrefix("# ") {
      let match = try #require(try form.wholeMatch(in: line), "\(line.prefix(300))")
      #expect(found.updateValue(Int(match.2)!, forKey: String(match.1)) == nil, "twice: \(match.1)")
    }
    return found
  }

  private func value(_ metric: String, _ owner: String, _ text: String) throws -> Int? {
    try series(text)["\(metric){process=\"4711\",program=\"my \\\"app\\\"\",class=\"\(owner)\"}"]
  }

  @Test("Classes beyond the limit share one series, and no counter ever decreases")
  func bound() throws {
    var prometheus = PrometheusText(limit: 2)
    let first = prometheus.text(snapshot([("A", 1, 10), ("B", 7, 20), ("C", 5, 30)]))
    try #expect(value("lifeline_live_objects", "B", first) == 7)
    try #expect(value("lifeline_allocations_total", "C", first) == 30)
    try #expect(value("lifeline_allocations_total", "A", first) == nil)
    try #expect(value("lifeline_allocations_total", "(other)", first) == 10)
    let second = prometheus.text(snapshot([("A", 900, 1000), ("B", 0, 20), ("C", 5, 30), ("D", 1, 1)]))
    try #expect(value("lifeline_allocations_total", "(other)", second) == 1001)
    try #expect(value("lifeline_deinits_total", "B", second) == 20)
    let before = try series(first), after = try series(second)
    for (name, value) in before where name.contains("_total") { #expect(after[name]! >= value) }
    #expect(after.keys.count { $0.hasPrefix("lifeline_live_objects") } == 3)
  }

  @Test("Findings are counted by kind and class, and stay counted when no longer listed")
  func findings() throws {
    var prometheus = PrometheusText(limit: 10)
    var shown = snapshot([("A", 1, 1)])
    shown.findings = ["x", "y"].map { .init(kind: "leak", className: "A", title: $0) }
    let name = "lifeline_findings_total{process=\"4711\",program=\"my \\\"app\\\"\",kind=\"leak\",class=\"A\"}"
    try #expect(series(prometheus.text(shown))[name] == 2)
    shown.findings = []
    try #expect(series(prometheus.text(shown))[name] == 2)
  }

  @Test("Hostile names become readable, distinct labels")
  func hostile() throws {
    let names = [
      "a\"} 9\nevil 1", "back\\slash", "\u{1B}[2J", "quote\"\u{301}", String(repeating: "y", count: 100_000),
      String(repeating: "y", count: 99_999) + "z", "new\nline", "newline",
    ]
    var prometheus = PrometheusText(limit: 100)
    let text = prometheus.text(snapshot(names.map { ($0, 1, 1) }))
    try #expect(series(text).keys.count { $0.hasPrefix("lifeline_live_objects") } == names.count)
    #expect(text.utf8.count < 20_000)
    #expect(text.hasPrefix(PrometheusText.mark))
    var merged = PrometheusText(limit: 100)
    let same = merged.text(snapshot([("a\u{1}", 1, 1), ("a\u{2}", 2, 2)]))
    try #expect(series(same).values.contains(3), "names that become equal share one series")
  }

  @Test("Rates cover the last second")
  func rates() {
    var rates = LiveRates()
    rates.take(snapshot([("A", 5, 10)]).rows, at: 0)
    rates.take(snapshot([("A", 5, 500)]).rows, at: 500_000_000)
    #expect(rates["A"] == LiveRates.Rate())
    rates.take(snapshot([("A", 5, 1010), ("B", 3, 4)]).rows, at: 2_000_000_000)
    #expect(rates["A"].allocations == 500 && rates["A"].deinits == 500 && rates["B"].deinits == 0.5)
    #expect(rates.total.allocations == 502)
  }

  @Test("A line shows growth since the previous one, and no control character reaches the terminal")
  func line() {
    var line = LiveSummaryLine()
    _ = line.text(snapshot([("A", 5, 10)]))
    let text = line.text(snapshot([("A", 2, 10), ("\u{1B}[2J", 1, 1)]))
    #expect(text.hasPrefix("0 ms  live 3 (-2)  allocated 11  deinits 8  findings 0"))
    #expect(text.hasSuffix("most: 2 A, 1 \u{FFFD}[2J\n"))
  }

  @Test("Numbers fit their columns")
  func numbers() {
    #expect(
      [99_999, 100_000, 12_345_678, 123_456_789_012, -5].map(LiveText.number) == [
        "99999", "100k", "12.3M", "123.4G", "-5",
      ])
    #expect([3_599, 3_600, 59].map { LiveText.duration($0 * 1_000_000_000) } == ["59 min 59 s", "1 h 0 min", "59 s"])
    #expect(LiveText.fit("日本語", 5) == "日本…" && LiveText.fit("日本", 5) == "日本 " && LiveText.fit("abc", 2) == "a…")
  }

  @Test("Of a sample, each format says that the numbers are the sample's")
  func sample() throws {
    var part = snapshot([("A", 1, 10)])
    part.sample = 64
    var line = LiveSummaryLine(), prometheus = PrometheusText(limit: 2)
    #expect(line.text(part).contains("  of a sample, one object in 64:  live 1 (+1)"))
    #expect(prometheus.text(part).contains(/lifeline_sample_denominator\{[^}]*\} 64\n/))
    #expect(LiveDocument(part, withRates: false).sample == 64)
    #expect(LiveDocument(snapshot([("A", 1, 10)]), withRates: false).sample == nil)
  }
}
