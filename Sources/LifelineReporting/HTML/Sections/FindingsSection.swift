/// All findings: what to look at first.
struct FindingsSection {
  let report: Report
  let sources: SourceFileTable?
  let root: SourceRoot

  /// Findings that need attention come first, those accepted by a baseline or a suppression last.
  private var findings: [Report.Finding] {
    let isAccepted = { (finding: Report.Finding) in finding.isKnown || finding.isSuppressed }
    return report.findings.filter { !isAccepted($0) } + report.findings.filter(isAccepted)
  }

  var markup: Markup {
    let findings = findings
    let anchors = AnchorTable(findings.prefix(HTMLFormat.Limits.findings).map(\.fingerprint)).anchors
    var articles: [Markup] = []
    var bytes = 0
    var figures = FigureBudget(findings: anchors.count)
    for (finding, anchor) in zip(findings, anchors) {
      let named = Self.timelines(of: finding, in: report.timelines)
      let figure = figures.figure(named, finding: finding, anchor: anchor)
      let article = FindingArticle(
        finding: finding, whereabouts: report.whereabouts(finding), markdown: markdown(finding), anchor: anchor,
        figure: figure, sources: sources,
        isFigureLeftOut: figure == nil && !named.isEmpty)
      let markup = article.markup
      let size = markup.size - (figure?.markup.size ?? 0)
      guard bytes + size <= HTMLFormat.Limits.findingBytes else { break }
      bytes += size
      articles.append(markup)
    }
    return """
      <section id="findings" aria-labelledby="findings-title"><h2 id="findings-title">Findings</h2>
      \(overview(anchors.prefix(articles.count)))\(articles.joined())\(rest(articles.count))</section>

      """
  }

  private func overview(_ anchors: ArraySlice<String>) -> Markup {
    if report.findings.isEmpty { return "<p class=\"quiet\">\(sentence)</p>\n" }
    guard report.findings.count > 1 else { return "" }
    let items = zip(findings, anchors).map { finding, anchor -> Markup in
      """
      <li class="\(FindingArticle.tone(finding.severity))"><a href="#\(anchor)">\
      <code>\(finding.kind, limit: 60)</code> \(finding.title, limit: 160)</a></li>

      """
    }
    return "<nav aria-label=\"All findings\"><ol class=\"overview\">\n\(items.joined())</ol></nav>\n"
  }

  private func markdown(_ finding: Report.Finding) -> String {
    var alone = report
    alone.findings = [finding]
    alone.findings[0].backtraces = Array(finding.backtraces.prefix(HTMLFormat.Limits.backtraces))
    alone.findings[0].explanation = Array(finding.explanation.prefix(HTMLFormat.Limits.sentences))
    alone.gate = nil
    // Its life is shown in the figure, and what was not seen at the end of the page.
    alone.timelines = []
    alone.recording.remarks = []
    return MarkdownFormat(root: root).render(alone)
  }

  private var sentence: Markup {
    switch report.verdict {
    case "clean": report.failedEnd.map { "Nothing was found, but \($0)." } ?? "No problem was found."
    case "none": "There is no verdict, so an empty list means nothing."
    default: "The report has none."
    }
  }

  private func rest(_ shown: Int) -> Markup {
    let rest = report.findings.count - shown
    return rest > 0
      ? """
      <p class="left-out">\(Quantity.count(rest, "finding")) more, left out to keep the page small. \
      <code>lifeline report --format json</code> lists all.</p>

      """
      : ""
  }

  /// The lives that a finding is about: its object's first, then those named in its sentences, holds or path.
  static func timelines(of finding: Report.Finding, in timelines: [Report.ObjectTimeline]) -> [Report.ObjectTimeline] {
    let texts = (finding.explanation + finding.path.prefix(40).compactMap(\.object) + finding.holds.map(\.holder)).map {
      VisibleText($0, limit: 1200).plain
    }
    let timelines = timelines.filter { $0.process == finding.process }
    let own = timelines.filter { $0.object.id == finding.object.id }
    let others = timelines.filter { timeline in
      timeline.object.id != finding.object.id && !timeline.object.id.isEmpty
        && texts.contains { ObjectMention(timeline.object.id).isIn($0) }
    }
    return own + others
  }
}
