/// Reads the events of a trace in the merged order of all its threads, one at a time.
///
/// Events are ordered by their last known time, then by stream, then by position. For one object that is the
/// order in which it happened: an event whose count did not follow from the thread's own last event carries its
/// exact time (lifeline_event.h). The memory used is one chunk for each stream that has begun and not ended,
/// however long the trace; an event costs the same whatever the number of streams, a change of stream its logarithm.
public final class EventReader {
  /// Sentences about damage met so far; each says what was left out.
  public var problems: [String] { damage.sentences }
  /// Events given so far.
  public private(set) var sequence: UInt64 = 0

  private let trace: Trace
  private let streams: [(number: UInt32, chunks: [Chunk])]
  /// Nil before a stream begins and after it has ended.
  private var readers: [StreamReader?]
  private var queue = StreamQueue()
  private var damage = ProblemList()
  private var current = 0
  private var isReading = false
  /// That of the current stream, which `readers` owns. A counted reference would cost two locked instructions at
  /// every event, and each waits until the stores before it have reached memory: more than all other work.
  private var decoder: Unmanaged<StreamDecoder>
  /// Stands in where there is no current stream: it is at its end.
  private let idle = StreamDecoder(chunkSize: 0, frames: 0)
  /// The earliest event of the other streams: up to it the current stream goes on.
  private var limit = StreamQueue.Entry(clock: 0, stream: 0)

  init(_ trace: Trace) {
    self.trace = trace
    decoder = .passUnretained(idle)
    streams = trace.index.streams.sorted { $0.key < $1.key }.map { (number: $0.key, chunks: $0.value) }
    readers = Array(repeating: nil, count: streams.count)
    for (index, stream) in streams.enumerated() {
      // No event of a chunk is earlier than the chunk, so a stream can wait unopened until then.
      if let first = stream.chunks.first { queue.insert(StreamQueue.Entry(clock: first.firstClock, stream: index)) }
    }
  }

  /// Gives the next event; false when there is none.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public func next(_ event: inout Event) throws -> Bool {
    let hasNext = decoder._withUnsafeGuaranteedRef { $0.next(&event) }
    if !hasNext || !(StreamQueue.Entry(clock: event.clock, stream: current) < limit) {
      guard try turn(&event, hasNext: hasNext) else { return false }
    }
    sequence += 1
    event.sequence = sequence
    event.stream = current
    return true
  }

  /// Site `index` of the last event's backtrace, 0 the innermost; nil beyond its end.
  @inline(__always)
  public func site(_ index: Int) -> Site? { decoder._withUnsafeGuaranteedRef { $0.site(index) } }

  /// Whether the last event happened inside a call: `words` are the sites around it, the outermost first.
  public func isInside(call words: [UInt64]) -> Bool { decoder._withUnsafeGuaranteedRef { $0.isInside(words) } }

  /// Keeps the last event's backtrace.
  public func intern(into table: inout BacktraceTable) -> BacktraceID { decoder._withUnsafeGuaranteedRef { $0.intern(into: &table) } }

  /// The current chunk is at its end, or another stream's event comes first: finds the next event.
  private func turn(_ event: inout Event, hasNext: Bool) throws -> Bool {
    var candidate: StreamQueue.Entry?
    if isReading, let reader = readers[current] {
      if try hasNext || reader.next(&event, &damage) {
        let own = StreamQueue.Entry(clock: event.clock, stream: current)
        if own < limit { return true }
        // The decoder stays at this event, so its backtrace can be read when its turn comes.
        reader.pending = event
        candidate = queue.replaceFirst(with: own)
      } else {
        end()
        candidate = queue.removeFirst()
      }
    } else {
      candidate = queue.removeFirst()
    }
    while let entry = candidate {
      if let reader = readers[entry.stream] {
        current = entry.stream
        decoder = .passUnretained(reader.decoder)
        isReading = true
        limit = queue.first ?? StreamQueue.Entry(clock: .max, stream: .max)
        event = reader.pending
        return true
      }
      candidate = try open(entry.stream)
    }
    return false
  }

  /// The current stream has no more events; its reader goes, and nobody may ask it any more.
  private func end() {
    decoder = .passUnretained(idle)
    isReading = false
    readers[current] = nil
  }

  /// Begins a stream; gives the entry that comes first then.
  private func open(_ index: Int) throws -> StreamQueue.Entry? {
    let reader = StreamReader(number: streams[index].number, chunks: streams[index].chunks, of: trace)
    guard try reader.next(&reader.pending, &damage) else { return queue.removeFirst() }
    readers[index] = reader
    return queue.replaceFirst(with: StreamQueue.Entry(clock: reader.pending.clock, stream: index))
  }
}
