import CLifelineFormat

/// The locations of a trace's chunks, by stream and in order.
struct ChunkIndex {
  private(set) var information: [Chunk] = []
  private(set) var streams: [UInt32: [Chunk]] = [:]

  /// In order of their numbers.
  var ordered: [StreamChunks] {
    streams.sorted { $0.key < $1.key }.map { StreamChunks(number: $0.key, chunks: $0.value) }
  }

  /// Chunks of a ring's base line, by kind.
  private(set) var base: [UInt32: [Chunk]] = [:]
  private(set) var problems = ProblemList()
  /// Number of chunks that were begun, damaged ones included.
  private(set) var begun = 0

  /// Reads every chunk header; the time grows with the file's size divided by the chunk size.
  init(_ file: any TraceContents, header: lifeline_file_header) throws {
    let size = Int64(header.chunk_size)
    var offset = Int64(LIFELINE_HEADER_SIZE)
    while offset < file.size {
      var raw = lifeline_chunk_header()
      let count = try withUnsafeMutableBytes(of: &raw) { try file.read(into: $0, at: offset) }
      if count == MemoryLayout<lifeline_chunk_header>.size { add(raw, offset: offset, chunkSize: Int(size)) }
      offset += size
    }
    let missing = Self.missing(in: file.size, header)
    missing.forEach { problems.append($0) }
    let lost = Int64(header.begun) - Int64(begun)
    if missing.isEmpty, lost > 0 {
      problems.append("\(Self.part(lost, of: header.begun)) missing: there are zeros instead.")
    }
    information = order(information, "the information")
    let isRing = header.flags & LIFELINE_FLAG_RING != 0
    if isRing { leaveOut(header) }
    for (stream, chunks) in streams.sorted(by: { $0.key < $1.key }) {
      streams[stream] = order(chunks, "stream \(stream)", from: isRing ? chunks.map(\.sequence).min() : nil)
    }
    for (sort, chunks) in base.sorted(by: { $0.key < $1.key }) { base[sort] = order(chunks, "the base line") }
  }

  /// Sentences about what a file of this size lacks according to its header.
  static func missing(in fileSize: Int64, _ header: lifeline_file_header) -> [String] {
    var sentences: [String] = []
    let size = Int64(header.chunk_size)
    let bytes = fileSize - Int64(LIFELINE_HEADER_SIZE)
    if bytes % size > 0 {
      sentences.append("The file is cut off: \(size - bytes % size) bytes of its last chunk are missing.")
    }
    let claimed = Int64(header.chunks)
    let present = (bytes + size - 1) / size
    if claimed > present, header.stop_reason == 0 {
      sentences.append("The file is cut off: \(part(claimed - present, of: claimed)) missing.")
    }
    return sentences
  }

  /// "1 of 3 chunks is".
  private static func part(_ count: Int64, of total: some BinaryInteger) -> String {
    "\(count) of \(total) chunks \(count == 1 ? "is" : "are")"
  }

  /// Removes the chunk that is already folded into the base line, though it is still present.
  private mutating func leaveOut(_ header: lifeline_file_header) {
    let number = Int64(header.fold & 0xFFFF_FFFF)
    guard number > 0 else { return }
    let offset = Int64(LIFELINE_HEADER_SIZE) + (number - 1) * Int64(header.chunk_size)
    for stream in streams.keys { streams[stream]!.removeAll { $0.offset == offset } }
  }

  /// Replaces a stream's chunks.
  mutating func set(_ chunks: [Chunk], ofStream stream: UInt32) { streams[stream] = chunks.isEmpty ? nil : chunks }

  private mutating func add(_ raw: lifeline_chunk_header, offset: Int64, chunkSize: Int) {
    guard raw.magic != 0 else { return }
    begun += 1
    let magics = [LIFELINE_INFORMATION_CHUNK, LIFELINE_EVENT_CHUNK, LIFELINE_BASE_CHUNK]
    guard magics.contains(raw.magic) else {
      problems.append("Byte \(offset) does not start a valid chunk; it was skipped.")
      return
    }
    guard let chunk = Chunk(raw, offset: offset, chunkSize: chunkSize) else {
      problems.append("The header of the chunk at byte \(offset) is damaged; the chunk was left out.")
      return
    }
    if raw.magic == LIFELINE_INFORMATION_CHUNK {
      information.append(chunk)
    } else if raw.magic == LIFELINE_BASE_CHUNK {
      base[raw.stream, default: []].append(chunk)
    } else {
      streams[raw.stream, default: []].append(chunk)
    }
  }

  /// Sorts the chunks of one stream, and names those that are missing or duplicate.
  private mutating func order(_ chunks: [Chunk], _ owner: String, from first: UInt64? = nil) -> [Chunk] {
    var ordered: [Chunk] = []
    ordered.reserveCapacity(chunks.count)
    var expected = first ?? 0
    for chunk in chunks.sorted(by: { ($0.sequence, $0.offset) < ($1.sequence, $1.offset) }) {
      if let last = ordered.last, last.sequence == chunk.sequence {
        problems.append(
          "The chunk at byte \(chunk.offset) has the same number as another, \(chunk.sequence) of \(owner); "
            + "it was left out."
        )
        continue
      }
      let missing = chunk.sequence &- expected
      if missing == 1 { problems.append("Chunk \(expected) of \(owner) is missing.") }
      if missing > 1 { problems.append("Chunks \(expected) to \(chunk.sequence - 1) of \(owner) are missing.") }
      ordered.append(chunk)
      expected = chunk.sequence &+ 1
    }
    return ordered
  }
}
