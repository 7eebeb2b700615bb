/// Renders a report for a terminal.
public struct TextFormat {
  let style: TextStyle
  /// Groups of live objects that are shown in full; the others are counted.
  private static let liveLimit = 12
  private static let classLimit = 40
  /// A class with a longer name has its numbers below it.
  private static let longestName = 64
  private static let noteLimit = 20

  /// Columns of the terminal; nil for no limit.
  let width: Int?

  public init(isColored: Bool = false, width: Int? = nil) {
    style = TextStyle(isColored: isColored)
    self.width = width
  }

  public func render(_ report: Report) -> String {
    var lines = head(report)
    let shown = report.findings.filter { !$0.isKnown && !$0.isSuppressed }
    for finding in shown where finding.severity != "note" { lines += [""] + self.finding(finding, report) }
    lines += exploration(report)
    lines += notes(shown.filter { $0.severity == "note" }) + gate(report)
    lines += tests(report) + late(report) + classes(report) + live(report)
    if !report.recording.remarks.isEmpty {
      lines += ["", style.bold("What was not seen")] + report.recording.remarks.map { "  \($0.safe)" }
    }
    return lines.joined(separator: "\n").wrapped(to: width) + "\n"
  }

  private func head(_ report: Report) -> [String] {
    let objects = report.classes.reduce(0) { $0 &+ $1.allocated }
    let events = report.recording.events.values.reduce(0, +)
    let accepted = report.accepted ?? (report.findings.isEmpty ? nil : Self.count(report.findings))
    let remarks = [accepted, report.cleanException].compactMap { $0 }.joined(separator: ", ")
    let counts =
      "\(Quantity.count(events, "event")) of \(Quantity.count(objects, "object")) on "
      + "\(Quantity.count(report.recording.threads, "thread"))"
    let verdict =
      switch report.verdict {
      case "clean":
        style.green("clean") + (remarks.isEmpty ? "" : " (\(remarks))")
      case "findings":
        style.red(report.failures ?? Self.count(report.findings))
          + (report.failures == nil ? "" : report.besides.map { ", \($0)" } ?? "")
      case "none" where report.exploration != nil && report.noVerdictReason == report.exploration?.withoutFind:
        style.green(report.exploration?.withoutFind ?? "")
      default: style.yellow("no verdict") + (report.noVerdictReason.map { ": \($0.safe)" } ?? "")
      }
    guard report.program.isRecorded else { return ["Verdict: \(verdict)"] }
    return processes(report) + [
      counts
        + (report.processes.map { " in \(Quantity.number($0.count)) processes" } ?? "")
        + "; \(Quantity.number(report.recording.lostEvents)) lost"
        + (report.recording.sample.map { "; a sample, one object in \(Quantity.number($0))" } ?? "")
        + (report.recording.keep.flatMap(Self.keep) ?? ""),
      "Verdict: \(verdict)",
    ] + (report.steps ?? []).map(\.sentence.safe)
  }

  /// "1 finding, 2 warnings, 1 note": errors count as findings in the verdict.
  public static func count(_ findings: [Report.Finding]) -> String {
    [("error", "finding"), ("warning", "warning"), ("note", "note")].compactMap { severity, word in
      let count = findings.count { $0.severity == severity }
      return count == 0 ? nil : Quantity.count(count, word)
    }.joined(separator: ", ")
  }

  /// How much is kept, if events were dropped.
  private static func keep(_ keep: Report.Keep) -> String? {
    keep.eventsGone == 0 ? nil : "; kept from \(Quantity.duration(keep.since)) on"
  }

  private func classes(_ report: Report) -> [String] {
    guard !report.classes.isEmpty else { return [] }
    let counts = report.recording.depth != "lives"
    let isSample = report.classes.contains { $0.allocatedInAll != nil }
    let hasOlder = report.classes.contains { $0.older != nil }
    let header =
      ["class", "allocated"] + (hasOlder ? ["older"] : []) + [
        report.program.live, report.processes == nil ? "peak" : "peak of one",
      ]
      + (counts ? ["retains", "releases"] : []) + ["size"]
      + (isSample ? ["allocated in all", "live in all"] : [])
    var table = TextTable(header: header, rightAligned: Set(1..<header.count))
    for entry in report.classes.prefix(Self.classLimit) {
      let older = hasOlder ? [entry.older ?? 0] : []
      let numbers = ([entry.allocated] + older + [entry.liveAtExit, entry.peakLive]).map { Quantity.number($0) }
      let references = [entry.retains, entry.releases].map { entry.isCounted == false ? "" : Quantity.number($0) }
      let size = entry.instanceSize == 0 ? "" : Quantity.number(entry.instanceSize)
      table.add(
        [entry.name.safe] + numbers + (counts ? references : []) + [size]
          + (isSample ? [Self.estimate(entry.allocatedInAll), Self.estimate(entry.liveAtExitInAll)] : []))
    }
    var lines = table.lines(width: width.map { $0 - 2 }, hanging: Self.longestName)
    lines[0] = style.dim(lines[0])
    let rest = report.classes.count - Self.classLimit
    if rest > 0 { lines.append("and \(Quantity.count(rest, "class").replacingSuffix("classs", "classes")) more") }
    return ["", style.bold("Classes")] + lines.map { "  \($0)" }
  }

  /// "12,800 ± 900".
  private static func estimate(_ estimate: Report.Estimate?) -> String {
    estimate.map { "\(Quantity.number($0.value)) ± \(Quantity.number($0.error))" } ?? ""
  }

  private func late(_ report: Report) -> [String] {
    guard let late = report.late else { return [] }
    let isOpen = late.contains { $0.findings != nil }
    var lines = [
      "",
      style.bold("Outlived their last owner, without consequence") + style.dim(isOpen ? "" : " (--late lists each)"),
    ]
    for entry in late.prefix(Self.classLimit) {
      let rest =
        entry.notLookedAt > 0 ? ", and \(Quantity.number(entry.notLookedAt)) more that died at the same places" : ""
      lines.append(
        "  \(Quantity.number(entry.count)) × \(entry.class.safe)\(rest)  "
          + "\(style.dim("kept by \(entry.holders.joined(separator: ", ").safe)"))"
      )
      for finding in entry.findings ?? [] {
        lines.append("    \(finding.title.safe)")
        lines += finding.explanation.map { "      \($0.safe)" }
      }
    }
    let rest = late.count - Self.classLimit
    if rest > 0 {
      lines.append(
        "  and \(Quantity.count(rest, "class").replacingSuffix("classs", "classes")) more; --format json lists all")
    }
    return lines
  }

  private func live(_ report: Report) -> [String] {
    guard !report.liveAtExit.isEmpty else { return [] }
    let isExamined = report.heap?.isExamined ?? false
    let note = isExamined ? "" : " (reachability was not examined)"
    var lines = ["", style.bold(report.program.liveTitle) + style.dim(note)]
    for group in report.liveAtExit.prefix(Self.liveLimit) {
      let count = group.count == 1 ? group.first : "\(Quantity.number(group.count)) × \(group.class)"
      let lost =
        group.lost.map {
          $0 == 0 ? "" : $0 == group.count ? style.red(", leaked") : style.red(", \(Quantity.number($0)) leaked")
        } ?? ""
      let process = report.process(group.process).map { ", in \($0.name)" } ?? ""
      lines.append("  \(count.safe)  \(style.dim(Quantity.bytes(group.bytes)))\(lost)\(process.safe), allocated at")
      lines += BacktraceText(style).lines(group.backtrace, limit: 4).map { "      \($0)" }
    }
    let rest = report.liveAtExit.count - Self.liveLimit
    guard rest > 0 else { return lines }
    guard let left = report.liveRest else {
      return lines + ["  and \(Quantity.count(rest, "group")) more; --format json lists all"]
    }
    let lost = left.lost.map { $0 > 0 ? style.red(", \(Quantity.number($0)) of them leaked") : "" } ?? ""
    return lines + [
      "  and \(Quantity.count(rest + left.groups, "group")) more; --format json has \(Quantity.number(rest)) of them,",
      "  the others have \(Quantity.count(left.count, "object")) of \(Quantity.bytes(left.bytes))\(lost)",
    ]
  }

  /// Notes are shown as sentences; JSON and HTML have their backtraces.
  private func notes(_ notes: [Report.Finding]) -> [String] {
    guard !notes.isEmpty else { return [] }
    var lines = ["", style.bold("Notes")]
    for note in notes.prefix(Self.noteLimit) {
      lines.append("  \(style.dim(note.kind))  \(note.title.safe)")
      lines += note.explanation.map { "    \($0.safe)" }
    }
    let rest = notes.count - Self.noteLimit
    if rest > 0 { lines.append("  and \(Quantity.count(rest, "note")) more; --format json lists all") }
    return lines
  }

  private func finding(_ finding: Report.Finding, _ report: Report) -> [String] {
    let kind = "\(finding.severity): \(finding.kind)"
    var lines = [
      "\(finding.severity == "error" ? style.red(kind) : style.yellow(kind))   \(style.bold(finding.title.safe))", "",
    ]
    lines += finding.explanation.map { "  \($0.safe)" }
    lines += report.whereabouts(finding).map { "  \($0.safe)" }
    if let suggestion = finding.suggestion { lines += ["", "  To change: \(suggestion.safe)"] }
    for backtrace in finding.backtraces {
      lines += ["", "  \(style.dim("\(backtrace.role), event \(backtrace.event), \(backtrace.place.safe)"))"]
      lines += BacktraceText(style).lines(backtrace, limit: 8).map { "    \($0)" }
    }
    return lines
  }
}

extension String {
  fileprivate func replacingSuffix(_ suffix: String, _ other: String) -> String {
    hasSuffix(suffix) ? dropLast(suffix.count) + other : self
  }
}
