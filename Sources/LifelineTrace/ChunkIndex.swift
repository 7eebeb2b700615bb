import CLifelineFormat

/// Where the chunks of a trace lie, by stream and in their order.
struct ChunkIndex {
  struct Chunk {
    let offset: Int64
    let sequence: UInt64
    let thread: UInt32
    let firstClock: UInt64
    let isSealed: Bool
    let length: Int
    let events: Int
    let checksum: UInt64
  }

  private(set) var information: [Chunk] = []
  private(set) var streams: [UInt32: [Chunk]] = [:]
  private(set) var problems: [String] = []

  /// Reads every chunk header; the work grows with the file's size divided by the chunk size.
  init(_ file: TraceFile, header: lifeline_file_header) throws {
    let size = Int64(header.chunk_size)
    var offset = Int64(LIFELINE_HEADER_SIZE)
    var cutOff: Int64 = 0
    while offset < file.size {
      if file.size - offset < size { cutOff = size - (file.size - offset) }
      var raw = lifeline_chunk_header()
      let count = try withUnsafeMutableBytes(of: &raw) { try file.read(into: $0, at: offset) }
      if count == MemoryLayout<lifeline_chunk_header>.size { add(raw, offset: offset, chunkSize: Int(size)) }
      offset += size
    }
    if cutOff > 0 { problems.append("The file is cut off: \(cutOff) bytes of its last chunk are missing.") }
    let claimed = Int64(header.chunks)
    let present = (file.size - Int64(LIFELINE_HEADER_SIZE) + size - 1) / size
    if claimed > present, header.stop_reason == 0 {
      problems.append("The file is cut off: \(claimed - present) of \(claimed) chunks are missing.")
    }
    for stream in streams.keys {
      streams[stream]!.sort { $0.sequence < $1.sequence }
    }
    information.sort { $0.sequence < $1.sequence }
    for (stream, chunks) in streams.sorted(by: { $0.key < $1.key }) {
      var expected: UInt64 = 0
      for chunk in chunks {
        if chunk.sequence > expected {
          problems.append(
            "\(chunk.sequence &- expected) chunks of stream \(stream) are missing before its chunk \(chunk.sequence).")
        }
        expected = chunk.sequence &+ 1
      }
    }
  }

  private mutating func add(_ raw: lifeline_chunk_header, offset: Int64, chunkSize: Int) {
    guard raw.magic != 0 else { return }
    let sealed = raw.sealed == 1 && Int(raw.length) >= Int(LIFELINE_CHUNK_HEADER_SIZE) && Int(raw.length) <= chunkSize
    let chunk = Chunk(
      offset: offset, sequence: raw.sequence, thread: raw.thread, firstClock: raw.first_clock, isSealed: sealed,
      length: sealed ? Int(raw.length) : chunkSize, events: Int(raw.events), checksum: raw.checksum)
    switch raw.magic {
    case LIFELINE_INFORMATION_CHUNK: information.append(chunk)
    case LIFELINE_EVENT_CHUNK: streams[raw.stream, default: []].append(chunk)
    default: problems.append("The chunk at byte \(offset) is not one; it was skipped.")
    }
  }
}
