import CLifelineFormat

/// How the chunks of a trace are grouped, computed from sizes in a verified header.
struct CompactLayout: Equatable {
  /// Bytes of the trace.
  let size: Int64
  let chunkSize: Int
  let groupChunks: Int

  /// Enough for zstd to find repetitions across chunks, and little to inflate for one of them.
  static let preferredGroupSize = 4 << 20

  init(size: Int64, chunkSize: Int) {
    self.init(size: size, chunkSize: chunkSize, groupChunks: max(1, Self.preferredGroupSize / chunkSize))
  }

  init(size: Int64, chunkSize: Int, groupChunks: Int) {
    self.size = size
    self.chunkSize = chunkSize
    self.groupChunks = groupChunks
  }

  private var contents: Int64 { size - Int64(LIFELINE_HEADER_SIZE) }
  var groupSize: Int { groupChunks * chunkSize }
  /// Bytes of the largest group: a short trace is less than one.
  var largestGroup: Int { Int(min(Int64(groupSize), contents)) }
  /// Chunks, the last of which may be cut off.
  var chunks: Int64 { Self.quotient(contents, Int64(chunkSize)) }
  var groups: Int64 { Self.quotient(contents, Int64(groupSize)) }

  private static func quotient(_ value: Int64, _ divisor: Int64) -> Int64 {
    value / divisor + (value % divisor > 0 ? 1 : 0)
  }

  /// The range of a chunk in the trace.
  func range(ofChunk index: Int) -> Range<Int64> {
    let start = Int64(LIFELINE_HEADER_SIZE) + Int64(index) * Int64(chunkSize)
    return start..<min(start + Int64(chunkSize), size)
  }

  /// The range of a group's chunks in the trace.
  func range(ofGroup index: Int) -> Range<Int64> {
    let start = Int64(LIFELINE_HEADER_SIZE) + Int64(index) * Int64(groupSize)
    return start..<min(start + Int64(groupSize), size)
  }
}
