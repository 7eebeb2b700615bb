import CLifelineFormat

/// Splits chunks into columns.
struct ChunkSplitter {
  private struct Mover: ColumnCodec {
    let chunk: UnsafeRawBufferPointer
    let columns: ColumnBuffer
    var position: Int

    @inline(__always)
    mutating func transfer(_ column: Column) -> UInt8? {
      guard position < chunk.count else { return nil }
      let byte = chunk[position]
      position += 1
      columns[column].base[columns[column].count] = byte
      columns[column].count += 1
      return byte
    }
  }

  private let walk = EventGrammar()
  let columns: ColumnBuffer

  /// Adds a chunk, whose header belongs to the directory; returns its number of events.
  func add(_ chunk: UnsafeRawBufferPointer) -> Int {
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    // Trailing zeros are most of an open chunk, and nothing of a full one.
    var end = chunk.count
    while end > headerSize, chunk[end - 1] == 0 { end -= 1 }
    var mover = Mover(
      chunk: UnsafeRawBufferPointer(rebasing: chunk[..<end]), columns: columns, position: min(headerSize, end))
    var events = 0
    if end > headerSize, chunk.loadUnaligned(as: UInt32.self) == LIFELINE_EVENT_CHUNK {
      // Fields may end in zeros of their own; what was trimmed too much is restored by zero-filling.
      events = walk.move(&mover) { $0.position >= $0.chunk.count || $0.chunk[$0.position] == 0 }
    }
    let split = mover.position - min(headerSize, end)
    let plain = UnsafeRawBufferPointer(rebasing: chunk[mover.position..<max(end, mover.position)])
    withUnsafeBytes(of: (UInt32(split), UInt32(plain.count))) { columns.append($0, to: .layout) }
    columns.append(plain, to: .plain)
    return events
  }
}
