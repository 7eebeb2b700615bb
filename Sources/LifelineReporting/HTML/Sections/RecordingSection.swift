/// The basis of the report: how it was recorded, what was lost or could not be observed, and the command that created
/// it.
struct RecordingSection {
  let report: Report
  let command: [String]

  var markup: Markup {
    """
    <section id="recording" aria-labelledby="recording-title"><h2 id="recording-title">The recording</h2>
    <h3>Lost or unseen</h3>
    \(remarks)\(unseen)<h3>How it was made</h3>
    <dl class="details">\(details)</dl>
    \(events)</section>

    """
  }

  private var remarks: Markup {
    let recording = report.recording
    let lost: Markup =
      recording.lostEvents == 0
      ? "No event was lost."
      : """
      <strong>\(Quantity.count(recording.lostEvents, "event"))</strong> lost: their consequences are missing from this \
      report.
      """
    let items = recording.remarks.prefix(HTMLFormat.Limits.remarks).map { "<li>\($0, limit: 1200)</li>\n" as Markup }
    let rest = recording.remarks.count - items.count
    let more: Markup = rest > 0 ? "<li class=\"quiet\">\(Quantity.count(rest, "remark")) more.</li>\n" : ""
    return "<ul class=\"remarks\"><li>\(lost)</li>\n\(items.joined())\(more)</ul>\n"
  }

  private var unseen: Markup {
    counters(report.recording.unseen.filter { $0.value > 0 }, title: "Counters of unseen events")
  }

  private var events: Markup {
    counters(report.recording.events, title: "Events by kind")
  }

  private func counters(_ values: [String: UInt64], title: Markup) -> Markup {
    guard !values.isEmpty else { return "" }
    let sorted = values.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let rows = sorted.prefix(HTMLFormat.Limits.counters).map {
      "<tr><th scope=\"row\">\($0.key)</th><td class=\"n\">\(Quantity.number($0.value))</td></tr>\n" as Markup
    }
    let rest = sorted.count - rows.count
    let more: Markup = rest > 0 ? "<p class=\"quiet\">\(Quantity.number(rest)) more.</p>" : ""
    return """
      <details class="table"><summary>\(title) (\(Quantity.number(values.count)))</summary>
      <table class="counters"><thead><tr><th scope="col">kind</th><th scope="col" class="n">count</th></tr></thead>\
      <tbody>\(rows.joined())</tbody></table>\(more)</details>

      """
  }

  private var details: Markup {
    // The first argument is the program's name as it was called; the path is more informative.
    let program = [report.program.path] + report.program.arguments.dropFirst()
    var rows: [(Markup, String)] = [
      ("Program", ShellText(program).text), ("Runtime", report.recording.toolchain),
      ("Method", report.recording.method),
    ]
    if !command.isEmpty { rows.append(("This report", ShellText(command).text)) }
    return rows.map { "<div><dt>\($0)</dt><dd><code>\($1, limit: 2000)</code></dd></div>\n" as Markup }.joined()
  }
}
