/// A thread's cache of free chunks, tcache_perthread_struct, recognized by consistent lists.
///
///   ┌──────────────────┬───────────────────┐
///   │ counts, 64 × u16 │ entries, 64 × u64 │  entry n: chunks of 32 + 16 n bytes, each linked to the next
///   └──────────────────┴───────────────────┘
enum ThreadCache {
  /// The addresses of all chunks in it; nil if this is something else.
  static func chunks(at address: UInt64, _ reader: inout MemoryReader) -> [UInt64]? {
    var chunks: [UInt64] = []
    for bin in 0..<64 {
      guard let count = reader.quarter(at: address + UInt64(bin) * 2),
        var entry = reader.word(at: address + 128 + UInt64(bin) * 8)
      else { return nil }
      guard (count == 0) == (entry == 0) else { return nil }
      for _ in 0..<count {
        guard entry != 0, entry & 15 == 0, let size = reader.word(at: entry &- 8), size & ~7 == 32 + UInt64(bin) * 16,
          let link = reader.word(at: entry)
        else { return nil }
        chunks.append(entry)
        entry = unveiled(link, at: entry)
      }
      // For a thread that is about to take one, the count may be off by one.
      guard entry == 0 || entry & 15 == 0 else { return nil }
    }
    return chunks
  }

  /// Decodes a link that was stored exclusive-or its own location's page number.
  static func unveiled(_ link: UInt64, at place: UInt64) -> UInt64 { link ^ (place >> 12) }
}
