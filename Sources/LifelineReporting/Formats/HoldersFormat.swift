import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Renders who held an object at one moment, and the steps of its life one by one.
public struct HoldersFormat {
  private let context: ReportContext
  private let style: TextStyle
  private let sources: SourceFileTable
  private let blindness: (String) -> String?

  public init(
    _ trace: Trace, names: Names, summary: LifetimeSummary, backtraces: BacktraceTable, isColored: Bool = false
  ) {
    context = ReportContext(
      names: names, backtraces: backtraces, recording: trace.recording, lastEvent: summary.events,
      lastClock: summary.tracker.lastClock)
    style = TextStyle(isColored: isColored)
    blindness = trace.blindness
    sources = SourceFileTable(program: trace.tables.programPath, recordedAt: trace.recording.startTime)
  }

  /// Who held the object after an event, even if that is not one of its own.
  public func render(_ lifetime: ObjectLifetime, at sequence: UInt64) -> String {
    var lines = [style.bold("\(lifetime.id.description.safe) at event \(sequence): \(state(lifetime, sequence))")]
    lines += holders(lifetime, sequence)
    return lines.joined(separator: "\n") + "\n"
  }

  /// One step of the life: its event, the source line, the count and the holders after it. `index` counts from 0.
  public func step(_ lifetime: ObjectLifetime, _ index: Int) -> String {
    let row = lifetime.history.rows[index]
    let place = context.place(row)
    let time = Quantity.duration(context.recording.nanoseconds(at: row.event.clock))
    let thread = context.names.name(thread: row.event.thread)
    let change = HistoryFormat.change(row)
    let what = HistoryFormat.what(row, context.names).safe + (change.isEmpty ? "" : " \(change)")
    let location = place.location.map { "  \(style.dim($0.safe))" } ?? ""
    var lines = [
      style.bold("\(lifetime.id.description.safe)  step \(index + 1) of \(lifetime.history.rows.count)")
        + style.dim("  event \(row.event.sequence), \(time), \(thread.safe)"),
      "  \(what)\(row.isAfterGap ? " (after a gap)" : "") by \(place.function.safe)\(location)",
    ]
    if let source = sourceLine(row) { lines.append("  \(style.dim("│")) \(source.safe)") }
    lines.append("  \(state(lifetime, row.event.sequence))")
    return (lines + holders(lifetime, row.event.sequence)).joined(separator: "\n") + "\n"
  }

  private func state(_ lifetime: ObjectLifetime, _ sequence: UInt64) -> String {
    let rows = lifetime.history.rows.prefix { $0.event.sequence <= sequence }
    guard let last = rows.last else { return "not allocated yet" }
    if rows.contains(where: { $0.event.kind == .free }) { return style.red("freed") }
    if rows.contains(where: { $0.event.kind == .deallocate }) {
      let isKept = rows.contains { $0.event.kind == .unownedRetain }
      return style.red(isKept ? "deallocated; unowned references keep its memory" : "deallocated")
    }
    if rows.contains(where: \.isFinalRelease) { return style.yellow("its deinit runs") }
    if blindness(lifetime.id.className) != nil { return "alive" }
    let count = rows.last { $0.event.count >= 0 }?.event.count ?? 1
    return last.event.kind == .allocate ? "1 strong reference" : Quantity.count(count, "strong reference")
  }

  private func holders(_ lifetime: ObjectLifetime, _ sequence: UInt64) -> [String] {
    if let sentence = blindness(lifetime.id.className) { return ["  \(sentence.safe)"] }
    let held = lifetime.holders(at: sequence)
    guard !held.isEmpty else { return ["  no holders"] }
    return held.prefix(40).map { hold in
      let entry = context.hold(hold)
      let until = entry.isOpen ? "to the end of the recording" : "until event \(entry.toEvent)"
      let sort = HolderWording(hold).sort
      let rule = entry.rule.isEmpty ? "" : " [rule \(entry.rule)]"
      let location = entry.location.map { ", \($0.safe)" } ?? ""
      // A guess is marked before its name.
      let confidence = hold.confidence == .perhaps ? "" : ", \(entry.confidence)"
      let span = "  since event \(entry.fromEvent)\(location), \(until)\(confidence)\(rule)"
      return "  \(sort.padded(to: 10)) \(entry.holder.safe)\(style.dim(span))"
    } + (held.count > 40 ? ["  and \(Quantity.count(held.count - 40, "hold")) more"] : [])
  }

  private func sourceLine(_ row: HistoryRow) -> String? {
    let backtrace = context.backtrace(row, role: .retain)
    guard let frame = backtrace.frames.first(where: { !$0.isSystem && $0.line != nil && !$0.isMadeByCompiler }),
      let file = frame.file, let line = frame.line
    else { return nil }
    return sources.lines(around: line, of: file, margin: 0).first.map { $0.text.drop { $0 == " " || $0 == "\t" } }.map(
      String.init)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
