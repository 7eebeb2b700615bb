import LifelineTrace

/// The head of the page: the run, how it ended, the verdict, and the recording's figures.
struct Masthead {
  let report: Report

  /// "program: 1 finding", for the window's title.
  var title: Markup { "\(name): \(verdict.plain) · Lifeline" }

  private var name: String {
    ProgramName(report.program.path).text
  }

  private var verdict: (plain: String, tone: Markup) {
    switch report.verdict {
    case "clean" where report.failedEnd != nil:
      (
        ["nothing was found, but \(report.failedEnd!)", report.accepted, report.besides, report.cleanException]
          .compactMap { $0 }.joined(separator: ", "), "warning"
      )
    case "clean":
      (
        ["clean", report.accepted, report.besides, report.cleanException].compactMap { $0 }.joined(separator: ", "),
        "clean"
      )
    case "findings":
      (
        report.failures.map { [$0, report.besides].compactMap { $0 }.joined(separator: ", ") }
          ?? Quantity.count(report.findings.count, "finding"),
        report.failures != nil || report.findings.contains(where: \.isFailing) ? "error" : "warning"
      )
    default: ("no verdict", "none")
    }
  }

  var markup: Markup {
    """
    <header class="masthead" id="top">
    <p class="product"><svg width="26" height="14" viewBox="0 0 26 14" aria-hidden="true" focusable="false">\
    <path d="M1 7h7l3-5 4 10 3-5h3"/><circle cx="23" cy="7" r="2"/></svg>Lifeline report</p>
    <div class="run"><h1>\(name)</h1><p class="verdict \(verdict.tone)">\(verdict.plain)</p></div>
    \(reason)<dl class="facts">\(facts)</dl>
    </header>

    """
  }

  private var reason: Markup {
    report.noVerdictReason.map { "<p class=\"reason\"><strong>No verdict.</strong> \($0, limit: 1200)</p>\n" } ?? ""
  }

  private var facts: Markup {
    guard report.program.isRecorded else { return "<div><dt>Ended</dt><dd>\(ending)</dd></div>" }
    let recording = report.recording
    let objects = report.classes.reduce(0) { $0.addingReportingOverflow($1.allocated).partialValue }
    let events = recording.events.values.reduce(0 as UInt64) { $0.addingReportingOverflow($1).partialValue }
    let rows: [(Markup, String)] = [
      ("Ended", ending), ("Recorded for", Quantity.duration(recording.duration)), ("Events", Quantity.number(events)),
      ("Objects", Quantity.number(objects)), ("Threads", Quantity.number(recording.threads)),
      ("Lost events", Quantity.number(recording.lostEvents)),
      report.processes.map { ("Processes", Quantity.number($0.count)) } ?? (
        "Process", String(report.program.processID)
      ),
    ]
    return rows.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>" as Markup }.joined()
  }

  private var ending: String {
    if let signal = report.program.signal { return SignalName.of(signal) }
    if report.program.isDetached == true { return "after the recording" }
    if report.program.isReplaced == true { return "replaced by another program" }
    if let limit = report.program.limit { return "after \(Quantity.duration(limit)) (--limit)" }
    return report.program.exitStatus.map { "exit status \($0)" } ?? "not seen"
  }
}
