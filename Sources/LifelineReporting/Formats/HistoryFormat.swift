import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Renders one object's life like Instruments: event, change, count, time, thread, responsible caller.
public struct HistoryFormat {
  private let names: Names
  private let context: ReportContext
  private let style: TextStyle
  private let showsBacktraces: Bool
  private let selection: HistorySelection
  private let width: Int?
  private let blindness: (String) -> String?
  /// Whether the ends of objects may be in a missing part of the trace.
  private let isDamaged: Bool

  /// - Parameter width: Columns of the terminal; a place that does not fit goes below its row.
  public init(
    _ trace: Trace, names: Names, summary: LifetimeSummary, backtraces: BacktraceTable, isColored: Bool = false,
    showsBacktraces: Bool = false, selection: HistorySelection = HistorySelection(), width: Int? = nil
  ) {
    self.names = names
    context = ReportContext(
      names: names, backtraces: backtraces, recording: trace.recording, lastEvent: summary.events,
      lastClock: summary.tracker.lastClock)
    style = TextStyle(isColored: isColored)
    self.showsBacktraces = showsBacktraces
    self.selection = selection
    self.width = width
    blindness = trace.blindness
    isDamaged = !trace.problems.isEmpty || !summary.problems.isEmpty
  }

  public func render(_ lifetime: ObjectLifetime) -> String {
    let history = lifetime.history
    let shown = selection.rows(of: history, lifetime.pairing)
    let partner = partners(lifetime.pairing, history)
    let address = history.rows.first.map { "0x" + String($0.event.object, radix: 16) } ?? ""
    // On a narrow terminal, a column with the same text in every row makes room for one that varies.
    let places = width == nil ? [] : Set(shown.map { context.backtrace(history.rows[$0], role: .retain).place })
    let threads = places.count == 1 ? [] : ["thread"]
    var table = TextTable(
      header: ["event", "what", "change", "count", "balanced by", "time"] + threads + ["responsible"],
      rightAligned: [0, 2, 3, 4, 5])
    var details: [[String]] = []
    for index in shown {
      let row = history.rows[index]
      let backtrace = context.backtrace(row, role: .retain)
      let responsible = Self.responsible(backtrace).map { frame in
        frame.function.safe + (frame.isSystem && !frame.image.isEmpty ? " [\(frame.image.safe)]" : "")
          + (backtrace.statedPlace.map { "  \($0.safe)" } ?? "")
      }
      let count = row.event.kind == .allocate ? "1" : row.event.count < 0 ? "" : String(row.event.count)
      table.add(
        [
          String(row.event.sequence), Self.what(row, names).safe + (row.isAfterGap ? " (after a gap)" : ""),
          Self.change(row), count, partner[index] ?? "",
          Quantity.duration(context.recording.nanoseconds(at: row.event.clock)),
        ] + threads.map { _ in backtrace.place.safe } + [responsible ?? ""])
      details.append(showsBacktraces ? BacktraceText(style).lines(backtrace, limit: 64) : [])
    }
    var lines = ["\(style.bold(history.id.description.safe))  \(history.id.className.safe)  \(style.dim(address))", ""]
    for (index, block) in table.blocks(width: width).enumerated() {
      // A backtrace begins with the line below a row.
      let shown = showsBacktraces ? block.prefix(1) : block[...]
      lines += index == 0 ? block.map(style.dim) : Array(shown)
      if index > 0 { lines += details[index - 1].map { "            \($0)" } }
    }
    if shown.count < history.rows.count {
      let all = Quantity.count(history.rows.count, "event")
      lines += ["", style.dim("\(Quantity.number(shown.count)) of \(all) shown.")]
    }
    if let sentence = blindness(history.id.className) {
      return (lines + ["", sentence.safe]).joined(separator: "\n") + "\n"
    }
    lines += ["", summary(history, lifetime.pairing)]
    lines += SwappedReferenceWording(context: context).sentence(lifetime).map { [$0] } ?? []
    lines += OrderWording(context: context).sentences(lifetime).map(\.safe)
    if let place = places.first, threads.isEmpty { lines += ["", "All on one thread: \(place.safe)."] }
    let events = shown.count < history.rows.count ? Set(shown.map { history.rows[$0].event.sequence }) : nil
    lines += holders(lifetime, touching: events) + [""] + verdict(lifetime)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The handwritten function, if the call was made by a compiler-generated helper.
  private static func responsible(_ backtrace: Report.Backtrace) -> Report.Frame? {
    guard let site = backtrace.site, site.isMadeByCompiler, let own = backtrace.responsible, !own.isSystem else {
      return backtrace.site
    }
    return own
  }

  /// Holds that began or ended with one of the `events`; all if it is nil.
  private func holders(_ lifetime: ObjectLifetime, touching events: Set<UInt64>?) -> [String] {
    let shown = lifetime.holds.filter { hold in
      let entry = context.hold(hold)
      return events.map { $0.contains(entry.fromEvent) || $0.contains(entry.toEvent) } ?? true
    }
    guard !shown.isEmpty else { return [] }
    var table = TextTable(header: ["holder", "", "from", "to", "time", "pairing", "rule"], rightAligned: [2, 3, 4])
    for hold in shown.prefix(200) {
      let entry = context.hold(hold)
      table.add([
        entry.holder.safe, HolderWording(hold).sort, String(entry.fromEvent), entry.isOpen ? "" : String(entry.toEvent),
        Quantity.known(entry.duration) ?? "–", entry.pairing ?? "", entry.rule,
      ])
    }
    var lines = table.lines(width: width.map { $0 - 2 }, flexible: 0)
    lines[0] = style.dim(lines[0])
    if shown.count > 200 { lines.append("and \(Quantity.count(shown.count - 200, "hold")) more") }
    return ["", style.bold("Holders")] + lines.map { "  \($0)" }
  }

  private func verdict(_ lifetime: ObjectLifetime) -> [String] {
    let causes = CauseWording(context: context)
    if isDamaged, case .never = lifetime.timing {
      return ["Verdict: unknown", "  The trace is damaged; the object's end may be in the missing part."]
    }
    var lines = ["Verdict: \(lifetime.timing.name)"]
    if let late = lifetime.lateDeallocation {
      lines[0] += ", \(causes.delay(late)) after its last owner released it"
      lines += causes.lateDeallocation(late, of: lifetime.id.description).map { "  \($0.safe)" }
    }
    if let sentence = causes.intrusion(lifetime) { lines.append("  \(sentence.safe)") }
    return lines + (causes.doubt(lifetime).map { ["  \($0.safe)"] } ?? [])
  }

  private func partners(_ pairing: Pairing, _ history: ObjectHistory) -> [Int: String] {
    var texts: [Int: [String]] = [:]
    func name(_ row: Int, _ pair: Pairing.Pair) -> String {
      "\(pair.confidence == .likely ? "~" : "")\(history.rows[row].event.sequence)"
    }
    for pair in pairing.pairs {
      texts[pair.retain, default: []].append(name(pair.release, pair))
      texts[pair.release, default: []].append(name(pair.retain, pair))
    }
    for row in pairing.unpairedRetains { texts[row, default: []].append("unpaired") }
    for row in pairing.unpairedReleases { texts[row, default: []].append("unpaired") }
    return texts.mapValues { $0.count > 3 ? "\($0.prefix(2).joined(separator: " ")) …" : $0.joined(separator: " ") }
  }

  private func summary(_ history: ObjectHistory, _ pairing: Pairing) -> String {
    let open = pairing.unpairedRetains.count
    let stray = pairing.unpairedReleases.count
    let gaps = history.rows.filter(\.isAfterGap).count
    var parts = [
      "\(pairing.pairs.count) of \(pairing.pairs.count + open) references are balanced (~ marks likely pairs)"
    ]
    if open > 0 { parts.append("\(Quantity.count(open, "retain")) not balanced") }
    if stray > 0 { parts.append("\(Quantity.count(stray, "release")) without a retain") }
    if gaps > 0 { parts.append("\(Quantity.count(gaps, "gap")): something was not seen or is out of order") }
    return parts.joined(separator: "; ") + "."
  }

  static func change(_ row: HistoryRow) -> String {
    let change = row.event.strongChange
    return change == 0 ? "" : change > 0 ? "+\(change)" : "\(change)"
  }

  static func what(_ row: HistoryRow, _ names: Names) -> String {
    switch row.event.kind {
    case .allocate: "allocate"
    case .retain, .retainN: "retain"
    case .release, .releaseN: row.isFinalRelease ? "final release" : "release"
    case .tryRetain: row.event.argument0 != 0 ? "try retain" : "try retain: nil"
    case .free: "free"
    case .deallocate: "deallocate"
    case .base: "(events before this are not kept)"
    case .unownedRetain: "unowned retain"
    case .unownedRelease: "unowned release"
    case .unownedRetainStrong: "unowned load"
    case .unownedRetainStrongAndRelease: "unowned take"
    case .weakLoad: row.event.argument1 != 0 ? "weak load" : "weak load: nil"
    case .weakInit: "weak init"
    case .weakAssign: "weak assign"
    case .weakCopy: "weak copy"
    case .weakDestroy: "weak destroy"
    case .useAfterFree: "USE AFTER FREE (\(Finding.Access(number: row.event.argument0)?.rawValue ?? "access"))"
    case .overRelease: "OVER-RELEASE"
    case .resurrection: "ESCAPE FROM DEINIT"
    case .unownedAfterDeinit: "UNOWNED READ AFTER DEINIT"
    case .reference: names.reference(row)
    case .hold: "\(row.event.isBegin ? "hold" : "release") as \(row.event.holdRole.map { "\($0)" } ?? "object")"
    case .point:
      SchedulePoint(row.event).map { "point \($0.hold.key).\($0.hold.visit): \($0.outcome)" } ?? row.event.kind.name
    case .stray: "NO OBJECT (\(Finding.Access(number: row.event.argument0)?.rawValue ?? "access"))"
    case .thread, .mark, .span, .cause, .task, .queue: row.event.kind.name
    }
  }
}
