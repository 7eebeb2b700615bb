import LifelineTrace

/// Collects the histories of chosen objects in one pass over a trace.
public struct HistoryReader {
  private let trace: Trace
  /// Backtraces of the rows.
  public private(set) var backtraces = BacktraceTable()

  /// The objects of the watched classes, in order of allocation; nil if they were too many.
  public private(set) var presences: [Presence]? = []

  private let rowLimit: Int?

  /// - Parameter rowLimit: A history with this many rows is shortened (`LongHistory`); nil for whole histories.
  public init(_ trace: Trace, rowLimit: Int? = nil) {
    self.trace = trace
    self.rowLimit = rowLimit
  }

  /// Histories in order of allocation; ids that do not occur are omitted.
  ///
  /// Final releases inside one of the `calls` have the first event of that call. With `untilFreed`, reading ends when
  /// all of the objects are freed, without later uses of them. `watched` are full names of classes whose objects'
  /// `presences` matter.
  /// - Throws: `TraceError` if the file can no longer be read.
  public mutating func histories(
    of wanted: Set<ObjectID>, calls: Set<CallWatch> = [], watched: Set<String> = [], untilFreed: Bool = false
  ) throws -> [ObjectHistory] {
    let collector = HistoryCollector(wanted: wanted, watched: watched, trace, rowLimit: rowLimit ?? .max)
    // In batches, backtraces are kept by address: without addresses that would be all of them.
    if calls.isEmpty, collector.knowsAddresses {
      try readBatches(into: collector, untilFreed: untilFreed)
    } else {
      try readEvents(into: collector, calls, untilFreed: untilFreed)
    }
    presences = collector.presences
    return collector.histories
  }

  private mutating func readBatches(into collector: HistoryCollector, untilFreed: Bool) throws {
    let reader = trace.batches(keepingBacktracesOf: collector.addresses, allocationsOf: collector.watchedClasses)
    while let batch = try reader.next() {
      for place in 0..<batch.count { collector.prefetch(batch.events + place) }
      for place in 0..<batch.count where batch.events[place].object != 0 {
        let index = collector.take(batch.events + place)
        if collector.isNewlyPresent { collector.place(batch.backtraces[place]) }
        guard index >= 0 else { continue }
        collector.append(batch.events[place], batch.backtraces[place], callStart: nil, to: index)
        if collector.isLong(index) { collector.shorten(index, caller: reader.caller) }
        if untilFreed, collector.unfinished <= 0 { break }
      }
      if untilFreed, collector.unfinished <= 0 { break }
    }
    backtraces = reader.takeBacktraces()
  }

  private mutating func readEvents(
    into collector: HistoryCollector, _ calls: Set<CallWatch>, untilFreed: Bool
  ) throws {
    let reader = trace.events()
    var event = Event()
    var watches = CallWatcher(calls)
    while try reader.next(&event) {
      watches.take(event, from: reader)
      guard event.object != 0 else { continue }
      let index = collector.take(&event)
      if collector.isNewlyPresent { collector.place(reader.intern(into: &backtraces)) }
      guard index >= 0 else { continue }
      collector.append(event, reader.intern(into: &backtraces), callStart: watches.start(event), to: index)
      if collector.isLong(index) { collector.shorten(index, caller: backtraces.caller) }
      if untilFreed, collector.unfinished <= 0 { break }
    }
  }
}
