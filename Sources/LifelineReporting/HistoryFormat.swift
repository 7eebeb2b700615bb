import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Renders one object's life the way Instruments lists it: event, change, count, time, thread, responsible caller.
public struct HistoryFormat {
  private let trace: Trace
  private let names: Names
  private let style: TextStyle
  private let showsBacktraces: Bool

  public init(_ trace: Trace, isColored: Bool = false, showsBacktraces: Bool = false) {
    self.trace = trace
    names = Names(trace)
    style = TextStyle(isColored: isColored)
    self.showsBacktraces = showsBacktraces
  }

  public func render(_ history: ObjectHistory, _ backtraces: BacktraceTable) -> String {
    let symbolicated = history.rows.map {
      names.backtrace(backtraces.sites($0.backtrace), role: "", thread: $0.event.thread, event: $0.event.sequence)
    }
    let pairing = Pairing(history) { place($0, backtraces) }
    let partner = partners(pairing, history)
    let address = history.rows.first.map { "0x" + String($0.event.object, radix: 16) } ?? ""
    var table = TextTable(
      header: ["event", "what", "change", "count", "balanced by", "time", "thread", "responsible"], rightAligned: [0, 2, 3, 4, 5])
    var details: [[String]] = []
    for (index, row) in history.rows.enumerated() {
      let backtrace = symbolicated[index]
      let responsible = backtrace.site.map { frame in
        frame.function.safe + (frame.isSystem && !frame.image.isEmpty ? " [\(frame.image.safe)]" : "") + (backtrace.location.map { "  \($0.safe)" } ?? "")
      }
      table.add([
        String(row.event.sequence), Self.what(row) + (row.isAfterGap ? " (after a gap)" : ""), Self.change(row),
        row.event.kind == .allocate ? "1" : row.event.count < 0 ? "" : String(row.event.count), partner[index] ?? "",
        Quantity.duration(trace.recording.nanoseconds(at: row.event.clock)),
        backtrace.thread.safe, responsible ?? "",
      ])
      details.append(showsBacktraces ? BacktraceText(style).lines(backtrace, limit: 64) : [])
    }
    var lines = ["\(style.bold(history.id.description.safe))  \(history.id.className.safe)  \(style.dim(address))", ""]
    for (index, line) in table.lines.enumerated() {
      lines.append(index == 0 ? style.dim(line) : line)
      if index > 0 { lines += details[index - 1].map { "            \($0)" } }
    }
    lines += ["", summary(history, pairing)]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Where a row's retain or release stands in the code: the function that called the runtime, and its callers.
  private func place(_ row: HistoryRow, _ backtraces: BacktraceTable) -> PairingPlace {
    let sites = backtraces.sites(row.backtrace).filter(\.isFrame)
    let outside = sites.firstIndex { site in trace.tables.image(at: site.address)?.path != trace.tables.runtimePath } ?? 0
    guard outside < sites.count else { return PairingPlace(function: 0, caller: 0) }
    // FNV-1a from the outermost frame inwards: equal callers give equal numbers in every run.
    var callers: UInt64 = 0xCBF2_9CE4_8422_2325
    var calls: [PairingPlace] = []
    for site in sites[outside...].reversed() {
      calls.append(PairingPlace(function: names.functionIdentity(of: site), caller: callers))
      callers = (callers ^ site.word) &* 0x100_0000_01B3
    }
    let innermost = calls.removeLast()
    return PairingPlace(
      function: innermost.function, caller: innermost.caller, enclosing: calls.reversed().map(\.key),
      image: trace.tables.image(at: sites[outside].address)?.id ?? 0)
  }

  private func partners(_ pairing: Pairing, _ history: ObjectHistory) -> [Int: String] {
    var texts: [Int: [String]] = [:]
    func name(_ row: Int, _ pair: Pairing.Pair) -> String { "\(pair.confidence == .likely ? "~" : "")\(history.rows[row].event.sequence)" }
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
    var parts = ["\(pairing.pairs.count) of \(pairing.pairs.count + open) references are balanced (~ marks a likely pair)"]
    if open > 0 { parts.append("\(Quantity.count(open, "retain")) not balanced") }
    if stray > 0 { parts.append("\(Quantity.count(stray, "release")) without a retain") }
    if gaps > 0 { parts.append("\(Quantity.count(gaps, "gap")): something happened that was not seen") }
    return parts.joined(separator: "; ") + "."
  }

  private static func change(_ row: HistoryRow) -> String {
    let change = row.event.strongChange
    return change == 0 ? "" : change > 0 ? "+\(change)" : "\(change)"
  }

  private static func what(_ row: HistoryRow) -> String {
    switch row.event.kind {
    case .allocate: "allocate"
    case .retain, .retainN: "retain"
    case .release, .releaseN: row.isFinalRelease ? "final release" : "release"
    case .tryRetain: row.event.argument0 != 0 ? "try retain" : "try retain: nil"
    case .free: "free"
    case .deallocate: "deallocate"
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
    case .stray, .thread, .mark: row.event.kind.name
    }
  }
}
