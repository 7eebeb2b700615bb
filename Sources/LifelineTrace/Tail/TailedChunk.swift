/// An event chunk that may still grow, and how far it was read.
struct TailedChunk {
  let offset: Int64
  /// The order in which chunks are read, which is that of each stream.
  var order: UInt64
  /// The number of events returned.
  var events = 0
  /// Their size in bytes, including the chunk's header; 0 before the first.
  var length = 0
  /// The position of invalid bytes in the last read; if they are still invalid, they were not half written.
  var obstacle: Int?

  init(offset: Int64, order: UInt64? = nil) {
    self.offset = offset
    self.order = order ?? UInt64(offset)
  }
}
