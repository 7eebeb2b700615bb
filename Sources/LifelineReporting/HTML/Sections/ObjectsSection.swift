/// The objects that are live at exit and those whose lives were read, one by one.
struct ObjectsSection {
  let lives: [Report.ObjectSummary]
  /// The number of recorded objects.
  let recorded: Int
  /// The name of a process of several, by its index.
  let process: (Int?) -> String?

  var markup: Markup {
    guard !lives.isEmpty else { return "" }
    let rows = BoundedRows(lives, count: lives.count, bytes: HTMLFormat.Limits.objectBytes, row: row)
    let columns: [(Markup, isNumber: Bool)] = [
      ("object", false), ("verdict", false), ("bytes", true), ("allocated at event", true), ("ended at event", true),
      ("thread", false), ("allocated by", false),
    ]
    let head = columns.map { "<th scope=\"col\"\($0.isNumber ? " class=\"n\"" as Markup : "")>\($0.0)</th>" as Markup }
      .joined()
    return """
      <section id="objects" aria-labelledby="objects-title"><h2 id="objects-title">Objects</h2>
      <p class="quiet">\(Quantity.number(rows.shown)) of \(Quantity.number(recorded)): those that are live at exit, \
      and those whose histories were read. <code>lifeline history</code> shows any other.</p>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="objects-title">\
      <table class="sortable" data-noun="objects">
      <thead><tr>\(head)</tr></thead>
      <tbody>\(rows.markup)</tbody></table></div>
      </section>

      """
  }

  private func row(_ life: Report.ObjectSummary) -> Markup {
    let end: Markup =
      life.endEvent.map { "<td class=\"n\" data-value=\"\($0)\">\($0)</td>" }
      ?? "<td class=\"n\" data-value=\"-1\"><span class=\"quiet\">live</span></td>"
    let owner: Markup = process(life.process).map { " <span class=\"place\">in \($0)</span>" } ?? ""
    return """
      <tr><th scope="row" title="\(life.class)"><code>\(Markup.name(life.id))</code>\(owner)</th>\
      <td>\(life.verdict)</td>\
      <td class="n" data-value="\(life.bytes)">\(Quantity.bytes(max(0, life.bytes)))</td>\
      <td class="n" data-value="\(life.allocatedEvent)">\(life.allocatedEvent)</td>\(end)<td>\(life.thread)</td>\
      <td><code>\(Markup.name(life.function))</code> <span class="place">\(life.location ?? "")</span></td></tr>

      """
  }
}
