/// Reads the events of a trace in the merged order of all its threads, one at a time.
///
/// The events of one thread keep their order. Those of several threads for one object are in the order that the
/// object's count proves (`EventOrdering`); the rest are ordered by the clocks: last known time, then stream. Memory
/// use is one chunk for each stream that has begun and not ended, and with several streams twice as much plus a window
/// of 4 MiB, however long the trace. Where one thread works alone for a chunk or longer, reading costs as much as for a
/// single thread.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
public final class EventReader {
  /// Sentences about damage met so far; each says what was left out.
  public var problems: [String] { (order?.problems ?? []) + damage.sentences }
  /// Events returned so far.
  public var sequence: UInt64 { filter == nil ? passed : given }
  @exclusivity(unchecked) private var passed: UInt64 = 0
  @exclusivity(unchecked) private var given: UInt64 = 0
  /// Nil if one sample was recorded all the time.
  private let filter: SampleFilter?

  private let trace: Trace
  private let streams: [StreamChunks]
  /// Nil before a stream begins and after it has ended.
  @exclusivity(unchecked) private var readers: [StreamReader?]
  /// Their decoders, by stream: where threads alternate at every event, a reader would be retained at every event.
  private let decoders: UnsafeMutableBufferPointer<Unmanaged<StreamDecoder>?>
  @exclusivity(unchecked) private var damage = ProblemList()
  @exclusivity(unchecked) private var current = 0
  @exclusivity(unchecked) private var isReading = false
  /// The decoder of the current stream, which `readers` owns. A counted reference would cost two atomic instructions at
  /// every event, each of which waits for earlier stores to reach memory: more than all other work.
  @exclusivity(unchecked) private var decoder: Unmanaged<StreamDecoder>
  /// A placeholder for a missing current stream, already at its end.
  private let idle = StreamDecoder(chunkSize: 0, frames: 0)

  /// Nil if there is only one stream, which is its own order.
  private let order: EventOrdering?
  @exclusivity(unchecked) private var turns = UnsafeBufferPointer<EventOrdering.ScheduledEvent>(start: nil, count: 0)
  @exclusivity(unchecked) private var position = 0
  /// The last event was its stream's last.
  @exclusivity(unchecked) private var endsStream = false
  /// No other stream has an event in the current chunk, except for objects of `watched`.
  @exclusivity(unchecked) private var isAlone = false
  @exclusivity(unchecked) private var aloneSince: UInt64 = 0
  /// Owned by `order`, or by `nothing` if there is one stream.
  private let watched: Unmanaged<AddressFilter>
  private let nothing = AddressFilter()
  /// The next event of a stream, already read, and whether there is one.
  @exclusivity(unchecked) private var held = Event()
  @exclusivity(unchecked) private var isHolding = false
  @exclusivity(unchecked) private var heldStream = 0

  init(_ trace: Trace, filter: SampleFilter?) {
    self.trace = trace
    self.filter = filter
    decoder = .passUnretained(idle)
    streams = trace.index.ordered
    readers = Array(repeating: nil, count: streams.count)
    decoders = .allocate(capacity: streams.count)
    decoders.initialize(repeating: nil)
    order = streams.count > 1 ? EventOrdering(trace, streams) : nil
    watched = .passUnretained(order?.watched ?? nothing)
    if streams.count == 1 { open(0) }
    isAlone = streams.count == 1
  }

  deinit { decoders.deallocate() }

  /// Advances to the next event; false at the end.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  @inline(__always)
  public func next(_ event: inout Event) throws -> Bool {
    guard let filter else { return try read(&event) }
    repeat { guard try read(&event) else { return false } } while event.object != 0 && !filter.contains(event.object)
    count(&event)
    return true
  }

  /// Omitted events have no number.
  private func count(_ event: inout Event) {
    given += 1
    event.sequence = given
  }

  @inline(__always)
  private func read(_ event: inout Event) throws -> Bool {
    let hasNext = isAlone && decoder._withUnsafeGuaranteedRef { $0.next(&event) }
    if !hasNext || watched._withUnsafeGuaranteedRef({ $0.contains(event.object) }) {
      guard try turn(&event, hasNext: hasNext) else { return false }
    }
    passed += 1
    event.sequence = passed
    event.stream = current
    return true
  }

  /// Site `index` of the last event's backtrace, with 0 as the innermost; nil beyond its end.
  @inline(__always)
  public func site(_ index: Int) -> BacktraceEntry? { decoder._withUnsafeGuaranteedRef { $0.site(index) } }

  /// Whether the last event happened inside a call: `words` are the sites around it, outermost first.
  public func isInside(call words: [UInt64]) -> Bool { decoder._withUnsafeGuaranteedRef { $0.isInside(words) } }

  /// Keeps the last event's backtrace.
  public func intern(into table: inout BacktraceTable) -> BacktraceID {
    decoder._withUnsafeGuaranteedRef { $0.intern(into: &table) }
  }

  private func open(_ stream: Int) {
    let reader = StreamReader(number: streams[stream].number, chunks: streams[stream].chunks, of: trace)
    readers[stream] = reader
    decoders[stream] = .passUnretained(reader.decoder)
    change(to: stream)
  }

  /// A stream has ended; its reader must not be used.
  private func close(_ stream: Int) {
    if stream == current {
      decoder = .passUnretained(idle)
      isReading = false
    }
    decoders[stream] = nil
    readers[stream] = nil
  }

  private func change(to stream: Int) {
    if stream == current, isReading { return }
    guard let next = decoders[stream] else { return open(stream) }
    current = stream
    decoder = next
    isReading = true
  }

  private func hold(_ event: Event) {
    held = event
    heldStream = current
    isHolding = true
  }

  /// The next event if several streams may have it, or if the current chunk is at its end.
  private func turn(_ event: inout Event, hasNext: Bool) throws -> Bool {
    // Comes first: a reference to `order` costs two atomic instructions, and this is the way of nearly every event.
    if position < turns.count, !isAlone, !endsStream { return try take(turns[position], &event) }
    guard let order else { return try nextChunk(&event) }
    if isAlone {
      isAlone = false
      if hasNext {
        hold(event)
        try order.leaveAlone(after: Int(passed - aloneSince))
      } else {
        readers[current]?.endChunk(&damage)
        order.endAlone(clock: decoder._withUnsafeGuaranteedRef { $0.clock })
      }
    }
    if endsStream { close(current) }
    endsStream = false
    while position == turns.count {
      if let stream = order.alone, !isHolding {
        if try readAlone(stream, &event, order) { return true }
        continue
      }
      try order.decide()
      order.takeEnded().forEach(close)
      turns = order.turns
      position = 0
      if turns.isEmpty, order.alone == nil { return false }
    }
    return try take(turns[position], &event)
  }

  private func nextChunk(_ event: inout Event) throws -> Bool {
    guard let reader = readers.first ?? nil else { return false }
    if try reader.next(&event, &damage) { return true }
    close(0)
    return false
  }

  /// Begins a chunk that contains only the current stream's events; false if it has no event, or others may precede its
  /// first one.
  private func readAlone(_ stream: Int, _ event: inout Event, _ order: EventOrdering) throws -> Bool {
    change(to: stream)
    aloneSince = passed
    if try readers[stream]?.nextInNewChunk(&event, &damage) != true {
      readers[stream]?.endChunk(&damage)
      order.endAlone(clock: decoder._withUnsafeGuaranteedRef { $0.clock })
      return false
    }
    if order.watched.contains(event.object) {
      hold(event)
      try order.leaveAlone(after: 0)
      return false
    }
    isAlone = true
    return true
  }

  private func take(_ turn: EventOrdering.ScheduledEvent, _ event: inout Event) throws -> Bool {
    position += 1
    let isHeld = isHolding && turn.stream == heldStream
    change(to: turn.stream)
    if isHeld {
      event = held
      isHolding = false
    } else if !decoder._withUnsafeGuaranteedRef({ $0.next(&event) }) {
      // `order` has reported the damage. A file that changes in the meantime may have fewer events than before.
      var known = ProblemList()
      guard let reader = readers[current], try reader.next(&event, &known) else { return false }
    }
    event.clock = turn.clock
    endsStream = turn.endsStream
    return true
  }
}
