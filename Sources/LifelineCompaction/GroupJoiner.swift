import CLifelineFormat

/// Rebuilds the chunks of a group from its columns.
struct GroupJoiner {
  let layout: CompactLayout
  let columns: ColumnBuffer

  /// Fills `bytes` with the chunks, whose headers `copyHeader` copies by number. False if the columns do not contain
  /// what they state, or contain more.
  func join(
    group: Int, into bytes: UnsafeMutableRawBufferPointer, copyHeader: (Int, UnsafeMutableRawBufferPointer) -> Void
  ) -> Bool {
    let joiner = ChunkJoiner(columns: columns)
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    var start = 0
    var chunk = group * layout.groupChunks
    while start < bytes.count {
      let end = min(start + layout.chunkSize, bytes.count)
      let contents = min(start + headerSize, end)
      copyHeader(chunk, UnsafeMutableRawBufferPointer(rebasing: bytes[start..<contents]))
      guard joiner.fill(UnsafeMutableRawBufferPointer(rebasing: bytes[contents..<end])) else { return false }
      start = end
      chunk += 1
    }
    return Column.allCases.allSatisfy { columns[$0].position == columns[$0].count }
  }
}
