import CLifelineFormat
import Glibc

/// Compresses groups into columns, one after another, and collects the headers of their chunks.
final class GroupPacker {
  private let layout: CompactLayout
  private let columns: ColumnBuffer
  private let writer: GroupWriter
  private let reader = GroupReader()
  private let joined: UnsafeMutableRawBufferPointer
  /// The headers of all chunks so far, 64 bytes each.
  private(set) var headers: [UInt8] = []

  init(layout: CompactLayout, level: Int) {
    self.layout = layout
    columns = ColumnBuffer(capacity: layout.groupSize)
    writer = GroupWriter(level: level)
    joined = .allocate(byteCount: layout.groupSize, alignment: 64)
  }

  deinit {
    columns.deallocate()
    joined.deallocate()
  }

  /// Compresses the chunks of one group.
  func pack(_ bytes: [UInt8]) -> (bytes: [UInt8], events: Int) {
    columns.clear()
    let splitter = ChunkSplitter(columns: columns)
    var events = 0
    bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: layout.chunkSize) {
        let chunk = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + layout.chunkSize, bytes.count)])
        let header = chunk.prefix(Int(LIFELINE_CHUNK_HEADER_SIZE))
        headers += header
        headers += repeatElement(0, count: Int(LIFELINE_CHUNK_HEADER_SIZE) - header.count)
        events += splitter.add(chunk)
      }
    }
    return (writer.compress(columns), events)
  }

  /// Whether the compressed bytes of the last packed group inflate to its chunks.
  func unpack(_ packed: [UInt8], group: Int, is original: [UInt8]) -> Bool {
    let out = UnsafeMutableRawBufferPointer(rebasing: joined[..<original.count])
    let isWhole = packed.withUnsafeBytes { reader.inflate($0, into: columns) }
    let headerSize = Int(LIFELINE_CHUNK_HEADER_SIZE)
    return isWhole
      && GroupJoiner(layout: layout, columns: columns).join(group: group, into: out) { chunk, header in
        header.copyBytes(from: headers[(chunk * headerSize)..<(chunk * headerSize + header.count)])
      }
      && original.withUnsafeBytes { memcmp($0.baseAddress!, out.baseAddress!, $0.count) == 0 }
  }
}
