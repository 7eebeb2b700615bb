import LifelineTrace

/// Collects the histories of chosen objects in one pass over a trace.
public struct HistoryReader {
  private let trace: Trace
  /// Backtraces of the rows.
  public private(set) var backtraces = BacktraceTable()

  private let rowLimit: Int?

  /// - Parameter rowLimit: A history with this many rows is shortened (`LongHistory`); nil for whole histories.
  public init(_ trace: Trace, rowLimit: Int? = nil) {
    self.trace = trace
    self.rowLimit = rowLimit
  }

  /// Histories in order of allocation; ids that do not occur are omitted.
  ///
  /// Final releases inside one of the `calls` have the first event of that call. With `untilFreed`, reading ends when
  /// all of the objects are freed, without later uses of them.
  /// - Throws: `TraceError` if the file can no longer be read.
  public mutating func histories(
    of wanted: Set<ObjectID>, calls: Set<CallWatch> = [], untilFreed: Bool = false
  ) throws -> [ObjectHistory] {
    let reader = trace.events(ahead: true)
    var event = Event()
    let collector = HistoryCollector(wanted: wanted, trace, rowLimit: rowLimit ?? .max)
    var watches = CallWatcher(calls)
    while try reader.next(&event) {
      if !watches.isEmpty { watches.take(event, from: reader) }
      guard event.object != 0 else { continue }
      let index = collector.take(event)
      if index >= 0 {
        collector.append(event, reader.intern(into: &backtraces), callStart: watches.start(event), to: index)
        if collector.isLong(index) { collector.shorten(index, backtraces) }
        if untilFreed, collector.unfinished <= 0 { break }
      }
    }
    return collector.histories
  }
}
