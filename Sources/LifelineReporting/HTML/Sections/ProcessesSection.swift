/// The processes of a run, if several were recorded.
struct ProcessesSection {
  let processes: [Report.Process]

  private static let limit = 1000

  var markup: Markup {
    guard !processes.isEmpty else { return "" }
    let rows = processes.prefix(Self.limit).map(row).joined()
    let rest = processes.count - Self.limit
    let more: Markup =
      rest > 0
      ? """
      <p class="left-out">\(Quantity.number(rest)) more. <code>lifeline report --format json</code> lists all.</p>

      """ : ""
    let names: [(Markup, isNumber: Bool)] = [
      ("program", false), ("process", true), ("ended", false), ("recorded for", true), ("objects", true),
      ("events", true), ("lost", true), ("findings", true),
    ]
    let heads = names.map { "<th scope=\"col\"\($0.isNumber ? " class=\"n\"" as Markup : "")>\($0.0)</th>" as Markup }
      .joined()
    return """
      <section id="processes" aria-labelledby="processes-title"><h2 id="processes-title">Processes</h2>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="processes-title">\
      <table class="sortable" data-noun="processes">
      <thead><tr>\(heads)</tr></thead>
      <tbody>\(rows)</tbody></table></div>
      \(more)</section>

      """
  }

  private func row(_ process: Report.Process) -> Markup {
    """
    <tr><th scope="row"><code>\(Markup.name(ProgramName(process.program.path).text))</code></th>\
    <td class="n" data-value="\(process.program.processID)">\(process.program.processID)</td>\
    <td>\(process.program.ending)</td>\
    <td class="n" data-value="\(process.duration)">\(Quantity.duration(process.duration))</td>\
    <td class="n" data-value="\(process.objects)">\(Quantity.number(process.objects))</td>\
    <td class="n" data-value="\(process.events)">\(Quantity.number(process.events))</td>\
    <td class="n" data-value="\(process.lostEvents)">\(Quantity.number(process.lostEvents))</td>\
    <td class="n" data-value="\(process.findings)">\(Quantity.number(process.findings))</td></tr>

    """
  }
}
