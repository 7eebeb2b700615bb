import LifelineAnalysis
import LifelineLifetimes
import LifelineTrace

/// Adds names to holds and lives.
struct ReportContext {
  let names: Names
  let backtraces: BacktraceTable
  let recording: Recording
  /// The last event of the recording, where open holds end.
  let lastEvent: UInt64
  let lastClock: UInt64

  func hold(_ hold: Hold) -> Report.Hold {
    let wording = HolderWording(hold)
    let begin = place(hold.retain)
    let end = hold.release.map(place)
    let from = recording.nanoseconds(at: hold.clocks.from)
    let to = recording.nanoseconds(at: hold.clocks.to ?? lastClock)
    return Report.Hold(
      holder: wording.name, rule: wording.rule, isTransient: hold.holder.isTransient,
      sort: hold.holder.isTransient ? "transient" : hold.holder.isOwner ? "owner" : "call", fromEvent: hold.from,
      toEvent: hold.to ?? lastEvent, duration: to >= from ? to - from : 0, fromTime: from, isOpen: hold.to == nil,
      confidence: hold.confidence.rawValue, pairing: hold.balance.rawValue,
      thread: names.name(thread: hold.retain.event.thread),
      function: begin.function, location: begin.location, endFunction: end?.function, endLocation: end?.location)
  }

  /// Function and "file:line" of a row.
  func place(_ row: HistoryRow) -> (function: String, location: String?) {
    let backtrace = backtrace(row, role: .retain)
    return (backtrace.responsible?.function ?? "", backtrace.statedPlace)
  }

  /// The same; for an allocation, outside of the initializers of the object's class.
  func place(_ row: HistoryRow, making object: ObjectID?) -> (function: String, location: String?) {
    let backtrace = backtrace(row, making: object)
    return (backtrace.responsible?.function ?? "", backtrace.statedPlace)
  }

  /// "file:line" of the same place.
  func location(_ row: HistoryRow, making object: ObjectID?) -> String? { backtrace(row, making: object).location }

  /// The backtrace; for an allocation, outside of the initializers of the object's class.
  func backtrace(_ row: HistoryRow, making object: ObjectID?) -> Report.Backtrace {
    let backtrace = backtrace(row, role: .retain)
    return object.map { backtrace.beyondInitializers(of: $0.className) } ?? backtrace
  }

  /// The library function, other than the standard library's, that made a retain or release by itself.
  func library(_ row: HistoryRow) -> String? {
    guard let site = backtrace(row, role: .retain).site, site.isSystem, !site.function.contains("Unmanaged") else {
      return nil
    }
    return site.function
  }

  func backtrace(_ row: HistoryRow, role: Finding.Role) -> Report.Backtrace {
    let backtrace = names.backtrace(backtraces.entries(row.backtrace), role: role.rawValue, of: row.event)
    guard row.event.strongChange < 0, let dying = row.dying else { return backtrace }
    return names.sharedDeinits.marked(backtrace, from: dying)
  }

  /// Number of events kept of a long life, half at its beginning and half at its end.
  private static let eventLimit = 400

  func timeline(_ lifetime: ObjectLifetime, role: String) -> Report.ObjectTimeline {
    let rows = lifetime.history.rows
    let half = Self.eventLimit / 2
    let order = OrderWording(context: self).sentences(lifetime)
    let kept = rows.count <= Self.eventLimit ? rows : Array(rows.prefix(half) + rows.suffix(half))
    return Report.ObjectTimeline(
      object: Report.Object(id: lifetime.id.description, class: lifetime.id.className), role: role,
      verdict: lifetime.timing.name,
      events: kept.map(event),
      holds: lifetime.holds.prefix(Self.eventLimit).map(hold),
      omittedEvents: rows.count - kept.count + lifetime.history.leftOut, order: order.isEmpty ? nil : order)
  }

  private func event(_ row: HistoryRow) -> Report.ObjectTimeline.Event {
    let place = place(row)
    return Report.ObjectTimeline.Event(
      event: row.event.sequence, time: recording.nanoseconds(at: row.event.clock), kind: row.event.kind.name,
      reference: row.event.kind == .reference ? names.reference(row) : nil,
      change: Int(row.event.strongChange),
      count: row.event.kind == .allocate ? 1 : row.event.count < 0 ? nil : Int(row.event.count),
      thread: names.name(thread: row.event.thread), function: place.function, location: place.location,
      isAfterGap: row.isAfterGap, isFinalRelease: row.isFinalRelease, task: row.event.task == 0 ? nil : row.event.task,
      queue: names.queue(of: row.event))
  }
}
