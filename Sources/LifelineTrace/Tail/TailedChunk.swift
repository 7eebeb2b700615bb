/// A chunk of events that may still grow, and how far it was read.
struct TailedChunk {
  let offset: Int64
  /// In what order chunks are read: that of each stream.
  var order: UInt64
  /// Events that were given.
  var events = 0
  /// Bytes that they take, the chunk's header included; 0 before the first.
  var length = 0
  /// Where its bytes made no sense the last time; what makes none twice was not half written.
  var obstacle: Int?

  init(offset: Int64, order: UInt64? = nil) {
    self.offset = offset
    self.order = order ?? UInt64(offset)
  }
}
