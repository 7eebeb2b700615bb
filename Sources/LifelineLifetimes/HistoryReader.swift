import LifelineTrace

/// Collects the histories of chosen objects in one pass over a trace.
public struct HistoryReader {
  private let trace: Trace
  /// Backtraces of the rows.
  public private(set) var backtraces = BacktraceTable()

  public init(_ trace: Trace) { self.trace = trace }

  /// Histories in the order in which the objects were allocated; ids that do not occur are left out.
  ///
  /// Final releases inside one of the `calls` say at which event that call was seen first.
  /// - Throws: `TraceError` when the file cannot be read any more.
  public mutating func histories(of wanted: Set<ObjectID>, calls: Set<CallWatch> = []) throws -> [ObjectHistory] {
    let reader = trace.events()
    var event = Event()
    var collector = HistoryCollector(wanted: wanted, classes: trace.tables.classes)
    var watches = CallWatcher(calls)
    while try reader.next(&event) {
      watches.take(event, from: reader)
      guard event.object != 0 else { continue }
      if let index = collector.take(event) {
        collector.append(event, reader.intern(into: &backtraces), callStart: watches.start(event), to: index)
      }
    }
    return collector.histories
  }
}
