import CLifelineFormat

/// Joins columns into chunks again, reversing `ChunkSplitter` byte for byte.
struct ChunkJoiner {
  private struct Mover: ColumnCodec {
    let chunk: UnsafeMutableRawBufferPointer
    let columns: ColumnBuffer
    var position = 0

    @inline(__always)
    mutating func transfer(_ column: Column) -> UInt8? {
      let place = columns[column].position
      guard position < chunk.count, place < columns[column].count else { return nil }
      let byte = columns[column].base[place]
      columns[column].position = place + 1
      chunk[position] = byte
      position += 1
      return byte
    }
  }

  private let walk = EventGrammar()
  let columns: ColumnBuffer

  /// Fills a chunk after its header; false if the columns do not contain what they state.
  func fill(_ contents: UnsafeMutableRawBufferPointer) -> Bool {
    guard let layout = columns.take(8, from: .layout) else { return false }
    let split = Int(layout.loadUnaligned(as: UInt32.self))
    let plain = Int(layout.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
    guard split <= contents.count, plain <= contents.count - split else { return false }
    var mover = Mover(chunk: UnsafeMutableRawBufferPointer(rebasing: contents[..<split]), columns: columns)
    _ = walk.move(&mover) { $0.position >= $0.chunk.count }
    guard mover.position == split, let bytes = columns.take(plain, from: .plain) else { return false }
    UnsafeMutableRawBufferPointer(rebasing: contents[split..<split + plain]).copyMemory(from: bytes)
    UnsafeMutableRawBufferPointer(rebasing: contents[(split + plain)...]).initializeMemory(as: UInt8.self, repeating: 0)
    return true
  }
}
