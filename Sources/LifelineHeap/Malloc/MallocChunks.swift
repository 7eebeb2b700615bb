/// Allocated blocks of memory, by address: what malloc returned, ascending.
struct BlockList {
  private(set) var addresses: [UInt64] = []
  private(set) var wordCounts: [UInt32] = []

  var count: Int { addresses.count }

  mutating func append(_ address: UInt64, bytes: UInt64) {
    addresses.append(address)
    wordCounts.append(UInt32(clamping: bytes / 8))
  }

  mutating func reserve(_ count: Int) {
    addresses.reserveCapacity(count)
    wordCounts.reserveCapacity(count)
  }

  /// Sorts the blocks by address; of two that overlap the first stays.
  mutating func sort() {
    if addresses.indices.dropFirst().allSatisfy({ addresses[$0 - 1] < addresses[$0] }) { return }
    let order = addresses.indices.sorted { addresses[$0] < addresses[$1] }
    var sorted = BlockList()
    for index in order {
      if let last = sorted.addresses.last, last + UInt64(sorted.wordCounts[sorted.count - 1]) * 8 > addresses[index] {
        continue
      }
      sorted.append(addresses[index], bytes: UInt64(wordCounts[index]) * 8)
    }
    self = sorted
  }

  /// Removes blocks by their addresses; both lists are ascending.
  mutating func remove(_ freed: [UInt64]) {
    guard !freed.isEmpty else { return }
    var kept = 0, next = 0
    for index in addresses.indices {
      while next < freed.count, freed[next] < addresses[index] { next += 1 }
      if next < freed.count, freed[next] == addresses[index] { continue }
      addresses[kept] = addresses[index]
      wordCounts[kept] = wordCounts[index]
      kept += 1
    }
    addresses.removeLast(count - kept)
    wordCounts.removeLast(wordCounts.count - kept)
  }
}

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
