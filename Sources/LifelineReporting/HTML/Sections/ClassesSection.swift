/// The classes and their numbers of objects.
struct ClassesSection {
  let classes: [Report.Class]
  /// The heading of the column of live objects: "live at exit".
  let live: String

  var markup: Markup {
    guard !classes.isEmpty else { return "" }
    let rows = BoundedRows(classes, count: HTMLFormat.Limits.classes, bytes: HTMLFormat.Limits.classBytes, row: row)
    let rest = classes.count - rows.shown
    let more: Markup =
      rest > 0
      ? """
      <p class="left-out">\(Quantity.number(rest)) more, left out to keep the page small. \
      <code>lifeline report --format json</code> lists all.</p>

      """
      : ""
    let curves: Markup = hasCurves ? "<th scope=\"col\">live over time</th>" : ""
    let heads = numbers.map { "<th scope=\"col\" class=\"n\">\($0)</th>" as Markup }
    return """
      <section id="classes" aria-labelledby="classes-title"><h2 id="classes-title">Classes</h2>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="classes-title">\
      <table class="sortable" data-noun="classes">
      <thead><tr><th scope="col">class</th>\(curves)\(heads.joined())</tr></thead>
      <tbody>\(rows.markup)</tbody></table></div>
      \(more)</section>

      """
  }

  private var hasCurves: Bool { classes.contains { $0.liveOverTime.count > 1 } }
  private var hasOlder: Bool { classes.contains { $0.older != nil } }
  private var isCounted: Bool { classes.contains { $0.isCounted != false } }
  private var isSample: Bool { classes.contains { $0.allocatedInAll != nil } }

  private var numbers: [String] {
    ["allocated"] + (hasOlder ? ["older"] : []) + [live, "peak live"]
      + (isCounted ? ["retains", "releases"] : []) + ["size"]
      + (isSample ? ["allocated in all", "live in all"] : [])
  }

  private func row(_ entry: Report.Class) -> Markup {
    let older: [Int?] = hasOlder ? [entry.older ?? 0] : []
    let references: [Int?] = entry.isCounted == false ? [nil, nil] : [entry.retains, entry.releases]
    let values =
      [entry.allocated] + older + [entry.liveAtExit, entry.peakLive] + (isCounted ? references : [])
      + [entry.instanceSize == 0 ? nil : entry.instanceSize]
    let estimates = isSample ? [estimate(entry.allocatedInAll), estimate(entry.liveAtExitInAll)] : []
    let cells = (values.map { cell($0) } + estimates).joined()
    let gaps: Markup =
      entry.countGaps > 0 ? " <span class=\"tag\">\(Quantity.count(entry.countGaps, "gap"))</span>" : ""
    let curve: Markup =
      hasCurves
      ? "<td data-value=\"\(entry.liveOverTime.last ?? 0)\">\(Sparkline(values: entry.liveOverTime).markup)</td>" : ""
    return """
      <tr><th scope="row"><code>\(Markup.name(entry.name))</code>\(gaps)</th>\(curve)\(cells)</tr>

      """
  }

  private func estimate(_ estimate: Report.Estimate?) -> Markup {
    cell(estimate?.value, error: estimate.map { " ± \(Quantity.number($0.error))" } ?? "")
  }

  private func cell(_ value: Int?, error: Markup = "") -> Markup {
    guard let value else { return "<td class=\"n\" data-value=\"-1\"></td>" }
    return "<td class=\"n\" data-value=\"\(value)\">\(Quantity.number(value))\(error)</td>"
  }
}
