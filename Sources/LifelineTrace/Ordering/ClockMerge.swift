/// Reads the events of all threads by their last known time, then by stream, then by position.
///
/// Memory use is one chunk for each stream that has begun, or soon will, and not ended; an event costs the same for any
/// number of streams, a change of stream its logarithm.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class ClockMerge {
  /// Sentences about damage met so far; each says what was left out.
  var problems: [String] { damage.sentences }

  /// The longest time, in ticks, for which a thread is assumed to be interrupted: about 50 ms.
  private static let rest: UInt64 = 1 << 27

  private let trace: Trace
  private let streams: [StreamChunks]
  /// Nil before a stream begins and after it has ended.
  @exclusivity(unchecked) private var readers: [StreamReader?]
  @exclusivity(unchecked) private var queue = StreamQueue()
  /// Streams that have not begun, earliest last.
  @exclusivity(unchecked) private var unopened: [Int] = []
  /// Streams of `readers` whose position in the queue is still that of their first chunk.
  @exclusivity(unchecked) private var opened: Set<Int> = []
  /// Streams that turned out to have no event before their turn.
  @exclusivity(unchecked) private var empty: Set<Int> = []
  private static let openedLimit = 64
  @exclusivity(unchecked) private var damage = ProblemList()
  @exclusivity(unchecked) private var current = 0
  @exclusivity(unchecked) private var isReading = false
  /// Whether the current stream may be read alone, and whether it was found to be alone.
  @exclusivity(unchecked) var mayBeAlone = true
  @exclusivity(unchecked) private var isAlone = false
  /// Streams that have ended since the window was last informed.
  @exclusivity(unchecked) private var ended: [Int] = []
  /// The decoder of the current stream, which `readers` owns. A counted reference would cost two atomic instructions at
  /// every event, each of which waits for earlier stores to reach memory: more than all other work.
  @exclusivity(unchecked) private var decoder: Unmanaged<StreamDecoder>
  /// A placeholder for a missing current stream, already at its end.
  private let idle = StreamDecoder(chunkSize: 0, frames: 0)
  /// An event of the current stream that was decoded but not returned, and whether there is one: `decoder` is then
  /// idle.
  @exclusivity(unchecked) private var held = Event()
  @exclusivity(unchecked) private var isHolding = false
  /// The earliest event of the other streams; the current stream is read up to it.
  @exclusivity(unchecked) private var limit = StreamQueue.Entry(clock: 0, stream: 0)

  init(_ trace: Trace, streams: [StreamChunks]) {
    self.trace = trace
    self.streams = streams
    decoder = .passUnretained(idle)
    readers = Array(repeating: nil, count: streams.count)
    for (index, stream) in streams.enumerated() {
      // No event of a chunk is earlier than the chunk, so a stream can wait unopened until then.
      guard let first = stream.chunks.first else { continue }
      queue.insert(StreamQueue.Entry(clock: first.firstClock, stream: index))
      unopened.append(index)
    }
    unopened.sort { (streams[$0].chunks[0].firstClock, $0) > (streams[$1].chunks[0].firstClock, $1) }
  }

  enum Stop {
    case full, end
    /// No other stream has an event before the end of this one's next chunk, nor for some time after it.
    case alone(Int)
  }

  /// Adds events to a window until it has this many new ones, a stream continues alone, or the trace ends. With a
  /// `keeper` backtraces are kept.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func read(_ limit: Int, into window: OrderWindow, keeping keeper: BacktraceKeeper?) throws -> Stop {
    while window.fresh < limit {
      // Decoded where it stays: a copy would wait for the stores just made.
      let event = window.room
      let hasNext = try next(&event.pointee)
      if !ended.isEmpty {
        ended.forEach(window.end)
        ended.removeAll()
      }
      if isAlone {
        isAlone = false
        return .alone(current)
      }
      if !hasNext { return .end }
      let backtrace = keeper.map { keeper in
        decoder._withUnsafeGuaranteedRef { keeper.backtrace(of: event.pointee, $0) }
      }
      window.append(event, backtrace ?? .empty)
    }
    return .full
  }

  /// The next chunk of the current stream was read elsewhere, up to a time.
  func skipChunk(upTo clock: UInt64) { readers[current]?.skipChunk(upTo: clock, &damage) }

  /// Begins the next chunk of the current stream, which is read alone.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func beginChunk(_ damage: inout ProblemList) throws { _ = try readers[current]?.beginNextChunk(&damage) }

  /// Adds events of the current stream alone to a batch (`StreamDecoder.fill`).
  func fill(
    _ batch: inout EventBatch, sequence: UInt64, watching watched: AddressFilter, keeping keeper: BacktraceKeeper
  ) -> StreamDecoder.BatchEnd {
    decoder._withUnsafeGuaranteedRef {
      $0.fill(&batch, stream: current, sequence: sequence, watching: watched, keeping: keeper)
    }
  }

  /// The current stream's chunk has been read alone to its end.
  func endChunk(_ damage: inout ProblemList) { readers[current]?.endChunk(&damage) }

  /// The event that the current stream's decoder returned last comes next, or when its turn comes.
  func hold(_ event: Event) {
    held = event
    isHolding = true
    decoder = .passUnretained(idle)
  }

  /// The events of the next chunk before a position were read elsewhere.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func enterChunk(at position: Int) throws { try readers[current]?.enterChunk(at: position, &damage) }

  var clock: UInt64 { decoder._withUnsafeGuaranteedRef { $0.clock } }

  /// Advances to the next event; false at the end.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  @inline(__always)
  private func next(_ event: inout Event) throws -> Bool {
    let hasNext = decoder._withUnsafeGuaranteedRef { $0.next(&event) }
    if !hasNext || !(StreamQueue.Entry(clock: event.clock, stream: current) < limit) {
      guard try turn(&event, hasNext: hasNext) else { return false }
    }
    event.stream = current
    return true
  }

  /// The next known events of the streams whose turn it is not, and the first ones of the streams that begin soon: a
  /// thread changes its first count before it has a stream.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func waiting(_ body: (Event, StreamDecoder) -> Void) throws {
    let soon = clock > .max - Self.rest ? .max : clock + Self.rest
    while opened.count < Self.openedLimit, let next = unopened.last, streams[next].chunks[0].firstClock <= soon {
      unopened.removeLast()
      guard readers[next] == nil else { continue }
      if try begin(next) { opened.insert(next) } else { empty.insert(next) }
    }
    for stream in readers.indices where stream != current || !isReading {
      guard let reader = readers[stream] else { continue }
      reader.pending.stream = stream
      body(reader.pending, reader.decoder)
    }
  }

  /// The current chunk is at its end, or another stream's event comes first: finds the next event.
  private func turn(_ event: inout Event, hasNext: Bool) throws -> Bool {
    var hasNext = hasNext
    if isHolding, let reader = readers[current] {
      event = held
      isHolding = false
      decoder = .passUnretained(reader.decoder)
      hasNext = true
    }
    var candidate: StreamQueue.Entry?
    if isReading, let reader = readers[current] {
      if !hasNext, mayBeAlone, limit.clock > Self.rest, reader.isNextChunk(before: limit.clock - Self.rest) {
        isAlone = true
        return false
      }
      mayBeAlone = true
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
      if opened.remove(entry.stream) != nil, let reader = readers[entry.stream] {
        candidate = queue.replaceFirst(with: StreamQueue.Entry(clock: reader.pending.clock, stream: entry.stream))
      } else if let reader = readers[entry.stream] {
        current = entry.stream
        decoder = .passUnretained(reader.decoder)
        isReading = true
        limit = queue.first ?? StreamQueue.Entry(clock: .max, stream: .max)
        event = reader.pending
        return true
      } else {
        candidate = try open(entry.stream)
      }
    }
    return false
  }

  /// The current stream has no more events; its reader is released and must not be used.
  private func end() {
    decoder = .passUnretained(idle)
    isReading = false
    ended.append(current)
    readers[current] = nil
  }

  /// Begins a stream; returns the entry that is then first.
  private func open(_ index: Int) throws -> StreamQueue.Entry? {
    if unopened.last == index { unopened.removeLast() }
    guard empty.remove(index) == nil, try begin(index), let reader = readers[index] else { return queue.removeFirst() }
    return queue.replaceFirst(with: StreamQueue.Entry(clock: reader.pending.clock, stream: index))
  }

  /// Reads a stream's first event; false if it has none.
  private func begin(_ index: Int) throws -> Bool {
    let reader = StreamReader(number: streams[index].number, chunks: streams[index].chunks, of: trace)
    guard try reader.next(&reader.pending, &damage) else { return false }
    readers[index] = reader
    return true
  }
}
