import CLifelineFormat

/// The parts of a trace that are read when it is opened: everything except its events.
struct TraceParts {
  let header: lifeline_file_header
  private(set) var index: ChunkIndex
  private(set) var tables = TraceTables()
  private(set) var problems: ProblemList
  private(set) var baseLine: BaseLine?
  private(set) var older: MemoryContents?

  /// - Throws: `TraceError` if the bytes cannot be read or are not a trace of this version.
  init(_ file: any TraceContents) throws {
    header = try Trace.readHeader(file)
    index = try ChunkIndex(file, header: header)
    problems = index.problems
    try readRecords(file)
    guard header.flags & LIFELINE_FLAG_RING != 0 else { return }
    let kept = try KeptPart(file, header, index, tables)
    index = kept.index
    (baseLine, older) = (kept.baseLine, kept.older)
    for problem in kept.problems { problems.append(problem) }
  }

  private mutating func readRecords(_ file: any TraceContents) throws {
    var records = RecordReader()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(header.chunk_size), alignment: 64)
    defer { buffer.deallocate() }
    for chunk in index.information {
      let count = try file.read(into: buffer, at: chunk.offset)
      let contents = min(count, chunk.length)
      guard contents > Int(LIFELINE_CHUNK_HEADER_SIZE) else { continue }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[Int(LIFELINE_CHUNK_HEADER_SIZE)..<contents])
      if chunk.isSealed, contents < chunk.length || !chunk.isIntact(bytes) {
        problems.append("The information chunk at byte \(chunk.offset) is damaged; it was skipped.")
        continue
      }
      records.read(bytes)
    }
    if records.damaged == 1 { problems.append("An information record is damaged; it was skipped.") }
    if records.damaged > 1 { problems.append("\(records.damaged) information records are damaged; they were skipped.") }
    tables = records.tables
  }
}
