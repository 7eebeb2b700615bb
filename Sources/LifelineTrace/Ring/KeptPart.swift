import CLifelineFormat

/// Converts a ring into a form that reads like any other trace: the base line as a stream of events, and the part of
/// each stream after the horizon.
struct KeptPart {
  let baseLine: BaseLine?
  let older: MemoryContents?
  let index: ChunkIndex
  let problems: [String]

  /// - Throws: `TraceError` if the file can no longer be read.
  init(_ file: any TraceContents, _ header: lifeline_file_header, _ index: ChunkIndex, _ tables: TraceTables) throws {
    var index = index
    var problems: [String] = []
    index.set([], ofStream: BaseLineEncoder.stream)
    guard header.horizon > 0 else {
      (baseLine, older, self.index, self.problems) = (nil, nil, index, [])
      return
    }
    let reader = try BaseLineReader(file, header: header, chunks: index.base)
    problems += reader.problems.sentences
    let chunkSize = Int(header.chunk_size)
    var folder = BaseLineFolder(reader.baseLine, header: header)
    for (stream, chunks) in index.streams.sorted(by: { $0.key < $1.key }) {
      var kept: [Chunk] = []
      for var chunk in chunks {
        if chunk.firstClock <= header.horizon, let passed = try folder.fold(chunk, of: file) {
          chunk.passed = passed
          if chunk.isSealed, chunk.lastClock <= header.horizon { continue }
        }
        kept.append(chunk)
      }
      index.set(kept, ofStream: stream)
    }
    var baseLine = folder.baseLine
    if !tables.sampleChanges.isEmpty { baseLine.leaveOut(besides: SampleFilter(denominator: Int(header.sample))) }
    let encoder = BaseLineEncoder(
      &baseLine, chunkSize: chunkSize, keepsFreed: header.flags & LIFELINE_FLAG_ZOMBIES != 0,
      classes: tables.classes, hasCounts: header.flags & LIFELINE_FLAG_LIVES == 0)
    index.set(encoder.chunks, ofStream: BaseLineEncoder.stream)
    self.baseLine = baseLine
    older = MemoryContents(path: file.path, bytes: encoder.bytes)
    self.index = index
    self.problems = problems
  }
}
