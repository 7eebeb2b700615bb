/// Lives in the report that no finding is about.
struct LivesSection {
  let report: Report

  var markup: Markup {
    let named = report.findings.flatMap { FindingsSection.timelines(of: $0, in: report.timelines) }
    let keys = Set(named.map { "\($0.process ?? 0) \($0.object.id)" })
    let others = report.timelines.filter { !keys.contains("\($0.process ?? 0) \($0.object.id)") }
    guard !others.isEmpty else { return "" }
    let shown = others.prefix(HTMLFormat.Limits.timelines)
    let rest = others.count - shown.count
    let more: Markup =
      rest > 0 ? "<p class=\"left-out\">\(Quantity.count(rest, "object")) more, left out here.</p>\n" : ""
    return """
      <section id="lives" aria-labelledby="lives-title"><h2 id="lives-title">Other lives</h2>
      \(LifelineFigure(Array(shown), finding: nil, anchor: "lives").markup)\(more)</section>

      """
  }
}
