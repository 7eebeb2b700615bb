import CLifelineFormat

/// Reads the events of one stream, chunk after chunk.
final class StreamReader {
  let decoder: StreamDecoder
  /// The next event, while those of other streams are earlier.
  var pending = Event()

  private let number: UInt32
  private let chunks: [Chunk]
  private let file: TraceFile
  private var nextChunk = 0

  init(number: UInt32, chunks: [Chunk], of trace: Trace) {
    self.number = number
    self.chunks = chunks
    file = trace.file
    decoder = StreamDecoder(chunkSize: Int(trace.header.chunk_size), frames: trace.recording.frames)
  }

  /// Gives the stream's next event; false when there is none.
  ///
  /// - Throws: `TraceError` when the file cannot be read any more.
  func next(_ event: inout Event, _ problems: inout ProblemList) throws -> Bool {
    while !decoder.next(&event) {
      if nextChunk > 0 { endChunk(&problems) }
      guard nextChunk < chunks.count else { return false }
      try beginChunk(&problems)
    }
    return true
  }

  private func beginChunk(_ problems: inout ProblemList) throws {
    let chunk = chunks[nextChunk]
    nextChunk += 1
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
  }

  private func endChunk(_ problems: inout ProblemList) {
    let chunk = chunks[nextChunk - 1]
    if let damage = decoder.damage {
      problems.append(
        "\(name(chunk)) is damaged at byte \(chunk.offset + Int64(damage.offset)) (\(damage.sentence)); its later events were left out."
      )
    } else if chunk.isSealed, decoder.hasEvents,
      decoder.decodedLength != chunk.length || decoder.clock != chunk.lastClock
    {
      problems.append("\(name(chunk)) does not end where its header says; some of its events or times may be wrong.")
    }
  }

  private func name(_ chunk: Chunk) -> String { "Chunk \(chunk.sequence) of stream \(number)" }
}
