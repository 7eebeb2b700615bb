import CLifelineFormat

/// Reads the events of a trace in the merged order of all its threads, one at a time.
///
/// Events are ordered by their last known time, then by stream, then by position. For one object that is the
/// order in which it happened: an event whose count did not follow from the thread's own last event carries its
/// exact time (lifeline_event.h). The memory used is one chunk per stream, however long the trace.
public final class EventReader {
  private final class Stream {
    let number: UInt32
    let chunks: [ChunkIndex.Chunk]
    let decoder: StreamDecoder
    var nextChunk = 0
    var pending = Event()
    var hasPending = false

    init(number: UInt32, chunks: [ChunkIndex.Chunk], decoder: StreamDecoder) {
      self.number = number
      self.chunks = chunks
      self.decoder = decoder
    }
  }

  /// Sentences about damage met so far; each says what was left out.
  public private(set) var problems: [String] = []
  /// Events given so far.
  public private(set) var sequence: UInt64 = 0

  private let trace: Trace
  private var only: Stream?
  private var streams: [Stream] = []
  private var current = -1
  private var started = false

  init(_ trace: Trace) {
    self.trace = trace
    for (number, chunks) in trace.index.streams.sorted(by: { $0.key < $1.key }) {
      let decoder = StreamDecoder(chunkSize: Int(trace.header.chunk_size), frames: trace.recording.frames)
      streams.append(Stream(number: number, chunks: chunks, decoder: decoder))
    }
    only = streams.count == 1 ? streams[0] : nil
  }

  /// Gives the next event; false when there is none.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  public func next(_ event: inout Event) throws -> Bool {
    if let only {
      // Most traces have one stream, and the decoder alone then does all the work.
      if !only.decoder.next(&event) {
        guard try advance(only, &event) else { return false }
      }
      current = 0
      event.stream = 0
    } else {
      if !started {
        started = true
        for stream in streams { stream.hasPending = try advance(stream, &stream.pending) }
      } else if current >= 0 {
        // The decoder must not move on before the backtrace of the event it gave has been read.
        let stream = streams[current]
        stream.hasPending = try advance(stream, &stream.pending)
      }
      var earliest = -1
      for index in streams.indices where streams[index].hasPending {
        if earliest < 0 || streams[index].pending.clock < streams[earliest].pending.clock { earliest = index }
      }
      current = earliest
      guard earliest >= 0 else { return false }
      event = streams[earliest].pending
      event.stream = earliest
    }
    sequence += 1
    event.sequence = sequence
    return true
  }

  /// Site `index` of the last event's backtrace, 0 the innermost; nil beyond its end.
  @inline(__always)
  public func site(_ index: Int) -> Site? { current < 0 ? nil : streams[current].decoder.site(index) }

  /// Keeps the last event's backtrace.
  public func intern(into table: inout BacktraceTable) -> BacktraceID {
    current < 0 ? .empty : streams[current].decoder.intern(into: &table)
  }

  private func advance(_ stream: Stream, _ event: inout Event) throws -> Bool {
    while true {
      if stream.decoder.next(&event) { return true }
      if let damage = stream.decoder.damage, stream.nextChunk > 0 {
        let chunk = stream.chunks[stream.nextChunk - 1]
        problems.append(
          "Chunk \(chunk.sequence) of stream \(stream.number) is damaged at byte \(chunk.offset + Int64(damage.offset)) (\(damage.sentence)); its later events were left out."
        )
      }
      guard stream.nextChunk < stream.chunks.count else { return false }
      try beginChunk(stream)
    }
  }

  private func beginChunk(_ stream: Stream) throws {
    let chunk = stream.chunks[stream.nextChunk]
    stream.nextChunk += 1
    let buffer = stream.decoder.chunk
    let count = try trace.file.read(into: buffer, at: chunk.offset)
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    if chunk.isSealed {
      let whole = count >= chunk.length
      let sum = whole ? lifeline_sum(buffer.baseAddress! + headerSize, UInt64(chunk.length - headerSize)) : 0
      guard whole, sum == chunk.checksum else {
        let reason = whole ? "its checksum is wrong" : "it is cut off"
        problems.append("Chunk \(chunk.sequence) of stream \(stream.number) is damaged (\(reason)); its events were left out.")
        stream.decoder.begin(length: 0, clock: 0, thread: 0)
        return
      }
    }
    stream.decoder.begin(length: min(count, chunk.length), clock: chunk.firstClock, thread: chunk.thread)
  }
}
