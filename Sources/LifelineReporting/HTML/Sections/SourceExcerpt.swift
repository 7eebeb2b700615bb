/// The lines around a frame's location, with the location's own line marked.
struct SourceExcerpt {
  /// Nil if there is no source to show.
  let markup: Markup?

  init(_ frame: Report.Frame, _ sources: SourceFileTable?, margin: Int = 2) {
    guard let sources, let path = frame.file, let line = frame.line else {
      markup = nil
      return
    }
    let lines = sources.lines(around: line, of: path, margin: margin)
    guard !lines.isEmpty else {
      markup = nil
      return
    }
    // Indentation common to all lines is not informative and costs width.
    let texts = lines.map { Self.expandingTabs($0.text) }
    let indent = texts.filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    let rows = zip(lines, texts).map { entry, text -> Markup in
      let code: Markup =
        """
        <span class="number">\(entry.number)</span>\
        <span class="text">\(String(text.dropFirst(indent)), limit: 200)</span>
        """
      return entry.number == line ? "<mark>\(code)</mark>\n" : "<span>\(code)</span>\n"
    }
    markup =
      """
      <pre class="source" tabindex="0" aria-label="Source, line \(line) marked"><code>\(rows.joined())</code></pre>
      """
  }

  private static func expandingTabs(_ text: String) -> String {
    // A line longer than any screen is truncated before it is processed character by character.
    String(
      text.unicodeScalars.prefix(2000).reduce(into: String.UnicodeScalarView()) { result, scalar in
        if scalar == "\t" { result.append(contentsOf: "  ".unicodeScalars) } else { result.append(scalar) }
      })
  }
}
