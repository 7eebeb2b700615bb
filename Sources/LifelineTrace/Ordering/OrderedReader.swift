/// Reads the events of all threads in the order of `EventReader`, in batches, and keeps some of their backtraces.
///
/// Each event is decoded once, so its backtrace must be chosen before its place in the order is known. Memory use is
/// one chunk for each stream that has begun and not ended, and a window of about 5 MiB.
final class OrderedReader {
  /// Sentences about damage met so far; each says what was left out.
  var problems: [String] { (ordering?.problems ?? []) + damage.sentences }

  let keeper: BacktraceKeeper
  /// Nil if one sample was recorded all the time.
  private let filter: SampleFilter?
  /// Nil if there is only one stream, which is its own order.
  private let ordering: EventOrdering?
  private let only: StreamReader?
  private let nothing = AddressFilter()
  private var damage = ProblemList()
  /// Number of decided events that were returned.
  private var position = 0
  private var isAlone = false
  private var isAtEnd: Bool
  /// The number of the last event.
  private var sequence: UInt64 = 0

  init(_ trace: Trace, filter: SampleFilter?, keeping keeper: BacktraceKeeper) {
    self.keeper = keeper
    self.filter = filter
    let streams = trace.index.ordered
    isAtEnd = streams.isEmpty
    ordering = streams.count > 1 ? EventOrdering(trace, streams, keeping: keeper) : nil
    only =
      streams.count == 1 ? StreamReader(number: streams[0].number, chunks: streams[0].chunks, of: trace) : nil
  }

  /// The callers of the backtraces from number `first` on, if backtraces are compared while more are kept.
  func newCallers(from first: Int) -> [BacktraceID] {
    keeper.isForHistories ? keeper.table.callers(from: first) : []
  }

  /// Returns the next events, as many as fit; false if there are none.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func next(_ batch: inout EventBatch) throws -> Bool {
    batch.count = 0
    repeat {
      if let ordering { try fill(&batch, ordering) } else if let only { try fill(&batch, only) }
      if let filter { leaveOut(&batch, filter) }
    } while batch.count == 0 && filter != nil && !isAtEnd
    sequence += UInt64(batch.count)
    return batch.count > 0
  }

  private func fill(_ batch: inout EventBatch, _ only: StreamReader) throws {
    while !isAtEnd {
      let end = only.decoder.fill(&batch, stream: 0, sequence: number(batch), watching: nothing, keeping: keeper)
      if end == .full { return }
      isAtEnd = try !only.beginNextChunk(&damage)
    }
  }

  private func fill(_ batch: inout EventBatch, _ ordering: EventOrdering) throws {
    while batch.count < EventBatch.capacity, !isAtEnd {
      if isAlone {
        isAlone = ordering.fillAlone(&batch, sequence: number(batch), &damage)
      } else if position < ordering.decided {
        let last = min(ordering.decided, position + EventBatch.capacity - batch.count)
        ordering.take(position..<last, into: &batch, sequence: number(batch))
        position = last
      } else if ordering.alone != nil {
        try ordering.beginAlone(&damage)
        isAlone = true
      } else {
        try ordering.decide()
        position = 0
        isAtEnd = ordering.decided == 0 && ordering.alone == nil
      }
    }
  }

  /// The number of the next event of a batch.
  private func number(_ batch: EventBatch) -> UInt64 { sequence + UInt64(batch.count) + 1 }

  /// Events that are left out have no number.
  private func leaveOut(_ batch: inout EventBatch, _ filter: SampleFilter) {
    var count = 0
    for index in 0..<batch.count
    where batch.events[index].object == 0 || filter.contains(batch.events[index].object) {
      batch.events[count] = batch.events[index]
      batch.backtraces[count] = batch.backtraces[index]
      batch.events[count].sequence = sequence + UInt64(count) + 1
      count += 1
    }
    batch.count = count
  }
}
