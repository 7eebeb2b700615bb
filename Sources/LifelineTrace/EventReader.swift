/// Reads the events of a trace in the merged order of all its threads, one at a time.
///
/// The events of one thread come in their order. Those of several threads for one object come in the order that the
/// object's count proves (`CountOrder`); what it does not prove goes by the clocks: last known time, then stream. The
/// memory used is one chunk for each stream that has begun and not ended, and where there are several streams as much
/// again and a window of 8 MiB, however long the trace.
public final class EventReader {
  /// Sentences about damage met so far; each says what was left out.
  public var problems: [String] { order?.problems ?? damage.sentences }
  /// Events given so far.
  public private(set) var sequence: UInt64 = 0

  private let trace: Trace
  private let streams: [StreamChunks]
  /// Nil before a stream begins and after it has ended.
  private var readers: [StreamReader?]
  private var damage = ProblemList()
  private var current = 0
  private var isReading = false
  /// The last event was its stream's last.
  private var endsStream = false
  /// Nil where there is one stream, which is its own order.
  private let order: CountOrder?
  private var turns: UnsafeBufferPointer<CountOrder.Turn>?
  private var position = 0
  /// That of the current stream, which `readers` owns. A counted reference would cost two locked instructions at
  /// every event, and each waits until the stores before it have reached memory: more than all other work.
  private var decoder: Unmanaged<StreamDecoder>
  /// Stands in where there is no current stream: it is at its end.
  private let idle = StreamDecoder(chunkSize: 0, frames: 0)

  init(_ trace: Trace) {
    self.trace = trace
    decoder = .passUnretained(idle)
    streams = trace.index.streams.sorted { $0.key < $1.key }.map { StreamChunks(number: $0.key, chunks: $0.value) }
    readers = Array(repeating: nil, count: streams.count)
    order = streams.count > 1 ? CountOrder(ClockMerge(trace, streams: streams), streams: streams.count) : nil
    turns = order?.turns
    if order == nil, !streams.isEmpty { open(0) }
  }

  /// Gives the next event; false when there is none.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public func next(_ event: inout Event) throws -> Bool {
    if let turns {
      guard try next(&event, turns) else { return false }
    } else if !decoder._withUnsafeGuaranteedRef({ $0.next(&event) }) {
      guard try nextChunk(&event) else { return false }
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

  private func open(_ stream: Int) {
    let reader = StreamReader(number: streams[stream].number, chunks: streams[stream].chunks, of: trace)
    readers[stream] = reader
    current = stream
    decoder = .passUnretained(reader.decoder)
    isReading = true
  }

  /// The current stream is over; nobody may ask its reader any more.
  private func close() {
    decoder = .passUnretained(idle)
    isReading = false
    readers[current] = nil
  }

  private func nextChunk(_ event: inout Event) throws -> Bool {
    guard let reader = readers.first ?? nil else { return false }
    if try reader.next(&event, &damage) { return true }
    close()
    return false
  }

  @inline(__always)
  private func next(_ event: inout Event, _ turns: UnsafeBufferPointer<CountOrder.Turn>) throws -> Bool {
    var turns = turns
    if endsStream { close() }
    endsStream = false
    if position == turns.count {
      try order!.decide()
      turns = order!.turns
      self.turns = turns
      position = 0
      if turns.isEmpty { return false }
    }
    let turn = turns[position]
    position += 1
    if turn.stream != current || !isReading { change(to: turn.stream) }
    if !decoder._withUnsafeGuaranteedRef({ $0.next(&event) }) {
      // A file that somebody changes meanwhile may have fewer events than it had a moment ago.
      guard let reader = readers[current], try reader.next(&event, &damage) else { return false }
    }
    event.clock = turn.clock
    endsStream = turn.endsStream
    return true
  }

  private func change(to stream: Int) {
    guard let reader = readers[stream] else { return open(stream) }
    current = stream
    decoder = .passUnretained(reader.decoder)
    isReading = true
  }
}
