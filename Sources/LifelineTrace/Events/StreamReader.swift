import CLifelineFormat

/// Reads the events of one stream, chunk after chunk.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class StreamReader {
  let decoder: StreamDecoder
  /// The next event, while other streams have earlier ones.
  @exclusivity(unchecked) var pending = Event()

  private let number: UInt32
  private let chunks: [Chunk]
  private let file: any TraceContents
  @exclusivity(unchecked) private var nextChunk = 0
  @exclusivity(unchecked) private var isInChunk = false

  init(number: UInt32, chunks: [Chunk], of trace: Trace) {
    self.number = number
    self.chunks = chunks
    file = trace.contents(ofStream: number)
    decoder = StreamDecoder(chunkSize: Int(trace.header.chunk_size), frames: trace.recording.frames)
  }

  /// Advances to the stream's next event; false at the end.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func next(_ event: inout Event, _ problems: inout ProblemList) throws -> Bool {
    while !decoder.next(&event) {
      endChunk(&problems)
      guard nextChunk < chunks.count else { return false }
      try beginChunk(&problems)
    }
    return true
  }

  /// Begins the next chunk and returns its first event; false if it has none.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func nextInNewChunk(_ event: inout Event, _ problems: inout ProblemList) throws -> Bool {
    try beginNextChunk(&problems) && decoder.next(&event)
  }

  /// Moves to an event of the next chunk, so that it is the next one read.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func enterChunk(at position: Int, _ problems: inout ProblemList) throws {
    endChunk(&problems)
    guard nextChunk < chunks.count else { return }
    try beginChunk(&problems)
    var event = Event()
    for _ in 0..<position { _ = decoder.next(&event) }
  }

  /// Begins the next chunk; false if there is none.
  ///
  /// - Throws: `TraceError` if the file can no longer be read.
  func beginNextChunk(_ problems: inout ProblemList) throws -> Bool {
    endChunk(&problems)
    guard nextChunk < chunks.count else { return false }
    try beginChunk(&problems)
    return true
  }

  /// Skips the next chunk, which was read elsewhere up to a time.
  func skipChunk(upTo clock: UInt64, _ problems: inout ProblemList) {
    endChunk(&problems)
    nextChunk += 1
    decoder.cursor.clock = clock
  }

  /// Whether all of the next chunk is known to be earlier than a time.
  func isNextChunk(before clock: UInt64) -> Bool {
    nextChunk < chunks.count && chunks[nextChunk].isSealed && chunks[nextChunk].lastClock < clock
  }

  private func beginChunk(_ problems: inout ProblemList) throws {
    let chunk = chunks[nextChunk]
    nextChunk += 1
    isInChunk = true
    let buffer = UnsafeMutableRawBufferPointer(rebasing: decoder.chunk[..<chunk.length])
    let count = try file.read(into: buffer, at: chunk.offset)
    let contents = UnsafeRawBufferPointer(rebasing: buffer[min(count, Int(LIFELINE_CHUNK_HEADER_SIZE))..<count])
    if chunk.isSealed, count < chunk.length || !chunk.isIntact(contents) {
      let reason = count < chunk.length ? "it is cut off" : "its checksum is wrong"
      problems.append("\(name(chunk)) is damaged (\(reason)); its events were left out.")
      decoder.begin(length: 0, clock: 0, thread: 0)
      return
    }
    if !chunk.isSealed, Int64(count) < min(Int64(chunk.length), file.size - chunk.offset) {
      problems.append("\(name(chunk)) was cut off while it was read; its later events were left out.")
    }
    decoder.begin(length: count, clock: chunk.firstClock, thread: chunk.thread)
    var passed = Event()
    for _ in 0..<chunk.passed { _ = decoder.next(&passed) }
  }

  /// Reports the problems of the chunk that was read, once.
  func endChunk(_ problems: inout ProblemList) {
    guard isInChunk else { return }
    isInChunk = false
    let chunk = chunks[nextChunk - 1]
    if let damage = decoder.damage {
      problems.append(
        "\(name(chunk)) is damaged at byte \(chunk.offset + Int64(damage.offset)) (\(damage.sentence)); "
          + "its later events were left out."
      )
    } else if chunk.isSealed, decoder.hasEvents,
      decoder.decodedLength != chunk.length || decoder.cursor.clock != chunk.lastClock
    {
      problems.append("\(name(chunk)) does not end where its header says; some of its events or times may be wrong.")
    }
  }

  private func name(_ chunk: Chunk) -> String { "Chunk \(chunk.sequence) of stream \(number)" }
}
