/// Objects that outlived their last owner without a consequence, by class.
struct LateSection {
  let late: [Report.Late]

  var markup: Markup {
    guard !late.isEmpty else { return "" }
    let rows = BoundedRows(late, count: HTMLFormat.Limits.liveGroups, bytes: HTMLFormat.Limits.liveBytes, row: row)
    let rest = late.count - rows.shown
    let more: Markup =
      rest > 0
      ? """
      <p class="left-out">\(rest) more, left out to keep the page small. <code>lifeline report --format json</code> \
      lists all.</p>

      """
      : ""
    return """
      <section id="late" aria-labelledby="late-title"><h2 id="late-title">Late without consequence</h2>
      <p class="quiet">These objects outlived their last owner without consequence. \
      <code>lifeline report --late</code> lists each.</p>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="late-title">\
      <table class="sortable" data-noun="classes">
      <thead><tr><th scope="col">class</th><th scope="col" class="n">objects</th><th scope="col">kept by</th>\
      <th scope="col">how</th></tr></thead>
      <tbody>\(rows.markup)</tbody></table></div>
      \(more)</section>

      """
  }

  private func row(_ entry: Report.Late) -> Markup {
    let lifetimes = (entry.findings ?? []).prefix(20).map { finding in
      "<p>\(finding.title). \(finding.explanation.joined(separator: " "))</p>" as Markup
    }.joined()
    let rest: Markup =
      entry.notLookedAt > 0 ? "<p>\(Quantity.number(entry.notLookedAt)) more died at the same places.</p>" : ""
    return """
      <tr><th scope="row"><code>\(Markup.name(entry.class))</code></th>\
      <td class="n" data-value="\(entry.count)">\(Quantity.number(entry.count))</td>\
      <td>\(entry.holders.joined(separator: ", "))</td><td>\(lifetimes)\(rest)</td></tr>

      """
  }
}
