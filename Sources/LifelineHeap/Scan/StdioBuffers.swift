/// The buffers of C's streams: characters that the process read or prints, and behind them what was in the memory
/// before.
///
/// A stream begins with flags and the addresses of its buffer (struct _IO_FILE of glibc, struct_FILE.h):
///
///   ┌──────────────────────┬───────────────────────────────┬──────────────┬────────────┐
///   │ 0xFBAD, flags (u16s) │ seven addresses in the buffer │ buffer, 56   │ its end    │
///   └──────────────────────┴───────────────────────────────┴──────────────┴────────────┘
enum StdioBuffers {
  private static let magic: UInt32 = 0xFBAD_0000
  private static let start = 56

  /// The nodes that are exactly a buffer; streams are variables of the C library, or blocks. O(bytes of the images'
  /// variables + blocks).
  static func nodes(_ memory: HeapMemory, _ images: ImageMap, _ table: borrowing BlockTable) -> [Int] {
    var nodes: [Int] = []
    for (index, region) in memory.source.regions.enumerated()
    where region.isWritable && images.imageOfRegion[index] >= 0 {
      guard let bytes = memory.source.bytes(ofRegion: index) else { continue }
      for offset in stride(from: 0, to: region.addresses.count - start - 15, by: 8) {
        if let node = node(of: bytes + offset, table) { nodes.append(node) }
      }
    }
    var cursor = BlockCursor(memory.source)
    for node in 0..<table.count where Int(table.wordCounts[node]) * 8 >= start + 16 {
      guard let bytes = cursor.bytes(at: table.addresses[node]) else { continue }
      if let buffer = Self.node(of: bytes, table) { nodes.append(buffer) }
    }
    return nodes
  }

  @inline(__always)
  private static func node(of stream: UnsafeRawPointer, _ table: borrowing BlockTable) -> Int? {
    guard stream.load(as: UInt32.self) & 0xFFFF_0000 == magic else { return nil }
    let first = stream.load(fromByteOffset: start, as: UInt64.self)
    let size = stream.load(fromByteOffset: start + 8, as: UInt64.self) &- first
    let node = table.block(of: first)
    // malloc may round up.
    guard node >= 0, table.addresses[node] == first, size > 0, UInt64(table.wordCounts[node]) * 8 &- size < 32 else {
      return nil
    }
    return node
  }
}
