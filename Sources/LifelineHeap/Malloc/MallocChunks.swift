/// Walks chunks of glibc's malloc (malloc.c), which are adjacent.
///
///   ┌───────────┬──────────────┬──────────────────────────────┐
///   │ prev_size │ size | flags │ what the program was given … │  the next chunk's prev_size is part of it
///   └───────────┴──────────────┴──────────────────────────────┘
enum MallocChunks {
  static let previousInUse: UInt64 = 1, isMapped: UInt64 = 2, otherArena: UInt64 = 4
  static let smallest: UInt64 = 32

  /// Walks from the first chunk to the end of an area. Adds the chunks in use, except the last one, the top.
  ///
  /// Returns where the walk ended, at `end` if every size led to the next chunk, and the top, 0 if it was not reached.
  static func walk(
    _ memory: UnsafeRawPointer, at base: UInt64, from start: UInt64, to end: UInt64, into blocks: inout BlockList
  ) -> (end: UInt64, top: UInt64) {
    func word(_ address: UInt64) -> UInt64 { memory.load(fromByteOffset: Int(address - base), as: UInt64.self) }
    guard start & 15 == 0, start + smallest <= end else { return (start, 0) }
    var chunk = start
    while chunk + 16 <= end {
      let header = word(chunk + 8)
      let size = header & ~7
      if size == 16, end - chunk <= 32 { return (end, 0) }
      guard size >= smallest, size & 15 == 0, size <= end - chunk, header & isMapped == 0 else { return (chunk, 0) }
      let next = chunk + size
      if next == end { return (end, chunk) }
      guard next + 16 <= end else { return (chunk, 0) }
      if word(next + 8) & previousInUse != 0 {
        blocks.append(chunk + 16, bytes: size - 8)
      } else if word(next) != size {
        // A free chunk's size is also after it.
        return (chunk, 0)
      }
      chunk = next
    }
    return (chunk, 0)
  }
}
