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
    case "clean":
      (["clean", report.accepted, passing, report.cleanException].compactMap { $0 }.joined(separator: ", "), "clean")
    case "findings":
      (
        report.failures ?? Quantity.count(report.findings.count, "finding"),
        report.failures != nil || report.findings.contains(where: \.isFailing) ? "error" : "warning"
      )
    default: ("no verdict", "none")
    }
  }

  /// "2 warnings, 1 note": what deserves a look in a clean run.
  private var passing: String? {
    let open = report.findings.filter { !$0.isKnown && !$0.isSuppressed }
    let counts = ["error", "warning", "note"].map { severity in
      (open.filter { $0.severity == severity }.count, severity)
    }
    let parts = counts.filter { $0.0 > 0 }.map { Quantity.count($0.0, $0.1) }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
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
