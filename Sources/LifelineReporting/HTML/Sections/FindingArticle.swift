/// One finding, from its text to its evidence.
struct FindingArticle {
  let finding: Report.Finding
  /// In which process and test it was found.
  let whereabouts: [String]
  /// The finding as Markdown, to paste into an issue or a message.
  let markdown: String
  /// Unique in the page; used in permalinks.
  let anchor: String
  let figure: LifelineFigure?
  let sources: SourceFileTable?
  var isFigureLeftOut = false

  var markup: Markup {
    """
    <article class="finding \(Self.tone(finding.severity))" id="\(anchor)" aria-labelledby="\(anchor)-title">
    <header><p class="kind"><span class="severity">\(finding.severity)</span> <code>\(finding.kind)</code>\(outcome)</p>
    <h3 id="\(anchor)-title">\
    <a class="permalink" href="#\(anchor)" aria-label="Link to this finding">\(finding.title, limit: 400)</a></h3>
    <p class="class">\(finding.object.class)</p></header>
    \(explanation)\(suggestion)\(path)\(lifeline)\(holds)\(backtraces)\(copy)</article>

    """
  }

  static func tone(_ severity: String) -> Markup {
    switch severity {
    case "error": "error"
    case "warning": "warning"
    default: "note"
    }
  }

  private var explanation: Markup {
    let all = finding.explanation + whereabouts
    let sentences = all.prefix(HTMLFormat.Limits.sentences)
    guard !sentences.isEmpty else { return "" }
    let items = sentences.map { "<li>\(SentenceMarkup(sentence: $0, figure: figure).markup)</li>\n" as Markup }
    let rest = all.count - sentences.count
    let more: Markup = rest > 0 ? "<li class=\"quiet\">\(Quantity.count(rest, "sentence")) more.</li>" : ""
    return "<ol class=\"story\">\n\(items.joined())\(more)</ol>\n"
  }

  private var suggestion: Markup {
    finding.suggestion.map { "<p class=\"suggestion\"><strong>To change</strong> \($0, limit: 1200)</p>\n" } ?? ""
  }

  private var path: Markup { CycleFigure(finding.path)?.markup ?? "" }

  private var lifeline: Markup {
    if let figure { return figure.markup }
    return isFigureLeftOut
      ? """
      <p class="quiet">The lifeline is left out to keep the page small; <code>lifeline history</code> shows \
      an object's history.</p>

      """
      : ""
  }

  private var holds: Markup {
    guard !finding.holds.isEmpty else { return "" }
    let title = "Who held \(finding.heldObject ?? finding.object.id)"
    return """
      <section class="who"><h4>\(title)</h4>\
      \(HoldTable(holds: finding.holds, label: title).markup)</section>

      """
  }

  private var backtraces: Markup {
    let shown = finding.backtraces.prefix(HTMLFormat.Limits.backtraces)
    guard !shown.isEmpty else { return "" }
    let rest = finding.backtraces.count - shown.count
    let more: Markup =
      rest > 0 ? "<p class=\"quiet\">\(Quantity.count(rest, "backtrace")) more, left out here.</p>" : ""
    let columns = shown.map { BacktraceColumn(backtrace: $0, sources: sources).markup }
    return "<div class=\"backtraces\">\(columns.joined())</div>\(more)\n"
  }

  /// The gate's result, and the reason.
  private var outcome: Markup {
    guard let outcome = finding.outcome, outcome.state != "failing" else { return "" }
    let reason: Markup = outcome.reason.map { " <span class=\"place\">\($0)</span>" } ?? ""
    return " <span class=\"tag\">\(outcome.state)</span>\(reason)"
  }

  private var copy: Markup {
    // The text is whole lines: shown as it is, with line feeds that are ours.
    let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { "\(String($0), limit: 4000)" as Markup }.joined("\n")
    return """
      <details class="markdown"><summary>This finding as Markdown</summary>\
      <pre tabindex="0" aria-label="Markdown of this finding">\(text)</pre></details>

      """
  }
}
