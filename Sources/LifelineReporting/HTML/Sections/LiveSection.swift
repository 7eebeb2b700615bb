/// Objects that were live at exit, or when the recording ended before, by class and allocation site.
struct LiveSection {
  let title: String
  let groups: [Report.Live]
  /// The totals of the groups not listed.
  let left: Report.LiveRest?
  /// Whether it is known which of them are leaked.
  let isExamined: Bool
  /// The name of a process of several, by its index.
  let process: (Int?) -> String?

  var markup: Markup {
    guard !groups.isEmpty else { return "" }
    let rows = BoundedRows(groups, count: HTMLFormat.Limits.liveGroups, bytes: HTMLFormat.Limits.liveBytes, row: row)
    let rest = groups.count - rows.shown + (left?.groups ?? 0)
    let hasAll = left == nil ? "all" : "\(Quantity.number(groups.count)) of them"
    let more: Markup =
      rest > 0
      ? """
      <p class="left-out">\(Quantity.count(rest, "group")) more, left out to keep the page small. \
      <code>lifeline report --format json</code> lists \(hasAll).</p>

      """
      : ""
    let leaked: Markup = isExamined ? "<th scope=\"col\" class=\"n\">leaked</th>" : ""
    return """
      <section id="live" aria-labelledby="live-title"><h2 id="live-title">\(title)</h2>
      <p class="quiet">\(note)</p>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="live-title">\
      <table class="sortable" data-noun="groups">
      <thead><tr><th scope="col">class</th><th scope="col" class="n">objects</th>\(leaked)\
      <th scope="col" class="n">bytes</th><th scope="col">the oldest</th><th scope="col">allocated by</th></tr></thead>
      <tbody>\(rows.markup)</tbody></table></div>
      \(more)</section>

      """
  }

  private var note: Markup {
    isExamined
      ? "Objects that are not leaked are reachable."
      : "Reachability was not examined, so these objects are not necessarily leaks."
  }

  private func owner(_ group: Report.Live) -> Markup {
    process(group.process).map { " <span class=\"place\">in \($0)</span>" } ?? ""
  }

  private func row(_ group: Report.Live) -> Markup {
    let site = group.backtrace.responsible?.function ?? "an unknown place"
    let frames = BacktraceFrames(backtrace: group.backtrace, sources: nil).markup
    let lost: Markup =
      isExamined ? "<td class=\"n\" data-value=\"\(group.lost ?? 0)\">\(Quantity.number(group.lost ?? 0))</td>" : ""
    return """
      <tr><th scope="row"><code>\(Markup.name(group.class))</code></th>\
      <td class="n" data-value="\(group.count)">\(Quantity.number(group.count))</td>\(lost)\
      <td class="n" data-value="\(group.bytes)">\(Quantity.bytes(max(0, group.bytes)))</td>\
      <td><code>\(group.first)</code>\(owner(group))</td>\
      <td><details class="site"><summary><code>\(Markup.name(site))</code> \
      <span class="place">\(group.backtrace.location ?? "")</span></summary>\(frames)</details></td></tr>

      """
  }
}
