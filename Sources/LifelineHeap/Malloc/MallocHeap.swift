/// The blocks allocated by glibc's malloc, found by its own bookkeeping and trusted only as far as that is consistent.
///
/// If it is not, the area is not divided into blocks, and all of its words are roots.
struct MallocHeap {
  private(set) var blocks = BlockList()
  /// The areas that are divided into chunks; memory there outside of blocks is free. Ascending.
  private(set) var areas: [Range<UInt64>] = []
  /// malloc's own data: its lists refer to the headers of free chunks, which belong to the previous block.
  private(set) var bookkeeping: [Range<UInt64>] = []
  private let source: any MemorySource
  private var tops: [UInt64] = []
  private var freed: [UInt64] = []
  private var states: [UInt64] = []

  private static let heapSize: UInt64 = 64 << 20, stateSize: UInt64 = 2200, smallestMapped: UInt64 = 0x21000

  init(_ source: any MemorySource) {
    self.source = source
    for (index, region) in source.regions.enumerated() where region.isReadable && region.isWritable && !region.isShared
    {
      guard let memory = source.bytes(ofRegion: index) else { continue }
      if region.path == "[heap]" {
        walkBreak(region.addresses, memory)
      } else if region.isAnonymous, region.path.isEmpty || region.path.hasPrefix("[anon") {
        walkMapped(region.addresses, memory, skipping: walkArenas(region.addresses, memory))
      }
    }
    areas.sort { $0.lowerBound < $1.lowerBound }
    blocks.sort()
    findMainState()
    takeOutFree()
  }

  /// The area that grows with brk.
  private mutating func walkBreak(_ range: Range<UInt64>, _ memory: UnsafeRawPointer) {
    // Capacity for as many as fit, because growing would briefly need twice the memory. Unused capacity is never
    // touched.
    blocks.reserve(Int(min((range.upperBound - range.lowerBound) / MallocChunks.smallest, 1 << 28)))
    let (end, top) = MallocChunks.walk(
      memory, at: range.lowerBound, from: range.lowerBound, to: range.upperBound, into: &blocks)
    if end > range.lowerBound { areas.append(range.lowerBound..<end) }
    if top != 0 { tops.append(top) }
  }

  /// Areas of further arenas: heap_info, followed by malloc_state for the first of an arena, then chunks.
  private mutating func walkArenas(_ range: Range<UInt64>, _ memory: UnsafeRawPointer) -> [Range<UInt64>] {
    var found: [Range<UInt64>] = []
    var start = (range.lowerBound + Self.heapSize - 1) & ~(Self.heapSize - 1)
    while start + 4096 <= range.upperBound {
      defer { start += Self.heapSize }
      func word(_ offset: UInt64) -> UInt64 {
        memory.load(fromByteOffset: Int(start - range.lowerBound + offset), as: UInt64.self)
      }
      let state = word(0), size = word(16), previous = word(8)
      guard size >= 4096, size & 4095 == 0, size <= Self.heapSize, start + size <= range.upperBound else { continue }
      let isFirst = state > start && state < start + 128 && previous == 0
      guard isFirst || state & 15 == 0 && previous & (Self.heapSize - 1) == 0 && previous != 0 else { continue }
      let first = isFirst ? (state + Self.stateSize + 15) & ~15 : start + 0x30
      var local = BlockList()
      let (end, top) = MallocChunks.walk(memory, at: range.lowerBound, from: first, to: start + size, into: &local)
      // The arena records its top; an older part ends in fence posts.
      guard end == start + size, !isFirst || top == 0 || word(state - start + 96) != 0 else { continue }
      for index in 0..<local.count { blocks.append(local.addresses[index], bytes: UInt64(local.wordCounts[index]) * 8) }
      areas.append(first..<end)
      found.append(start..<end)
      bookkeeping.append(start..<first)
      if isFirst { states.append(state) }
    }
    return found
  }

  /// Chunks with their own mapping, adjacent from the mapping's first page on.
  private mutating func walkMapped(_ range: Range<UInt64>, _ memory: UnsafeRawPointer, skipping arenas: [Range<UInt64>])
  {
    var chunk = range.lowerBound
    while chunk + 4096 <= range.upperBound {
      if let arena = arenas.first(where: { $0.contains(chunk) }) {
        chunk = arena.upperBound
        continue
      }
      let offset = Int(chunk - range.lowerBound)
      let before = memory.load(fromByteOffset: offset, as: UInt64.self)
      let header = memory.load(fromByteOffset: offset + 8, as: UInt64.self)
      let size = header & ~7
      guard before == 0, header & 7 == MallocChunks.isMapped, size >= Self.smallestMapped, size & 4095 == 0,
        size <= range.upperBound - chunk
      else { return }
      blocks.append(chunk + 16, bytes: size - 16)
      areas.append(chunk..<chunk + size)
      chunk += size
    }
  }

  /// The main arena's state is in the C library's data: its member `top` points to the last chunk.
  private mutating func findMainState() {
    guard !tops.isEmpty else { return }
    for (index, region) in source.regions.enumerated() where region.isWritable && !region.isShared && region.inode != 0
    {
      guard let memory = source.bytes(ofRegion: index) else { continue }
      let size = Int(region.addresses.upperBound - region.addresses.lowerBound)
      guard size <= 1 << 24 else { continue }
      for offset in stride(from: 96, to: size - 2104, by: 8) {
        guard tops.contains(memory.load(fromByteOffset: offset, as: UInt64.self)) else { continue }
        // An empty bin points to itself, and at least one of 127 is empty.
        let base = region.addresses.lowerBound + UInt64(offset)
        let emptyBins = (0..<127).count { bin in
          memory.load(fromByteOffset: offset + 16 + bin * 16, as: UInt64.self) == base + UInt64(bin) * 16
            && memory.load(fromByteOffset: offset + 24 + bin * 16, as: UInt64.self) == base + UInt64(bin) * 16
        }
        guard emptyBins > 8 else { continue }
        states.append(base - 96)
        bookkeeping.append(base - 96..<base - 96 + Self.stateSize)
      }
    }
  }

  /// Chunks in a thread's cache or in a fast bin look as if they were in use.
  private mutating func takeOutFree() {
    var reader = MemoryReader(source)
    for index in 0..<blocks.count where blocks.wordCounts[index] == (0x290 - 8) / 8 {
      guard let chunks = ThreadCache.chunks(at: blocks.addresses[index], &reader), !chunks.isEmpty else { continue }
      freed += chunks.filter(isInArea)
      // The cache is malloc's own as well: where it ends, or before a block, a free chunk would look referred to.
      freed.append(blocks.addresses[index])
    }
    for state in states {
      for bin in 0..<10 {
        guard let first = reader.word(at: state + 16 + UInt64(bin) * 8), first != 0 else { continue }
        var chunk = first, count = 0
        while chunk != 0, chunk & 15 == 0, count < 1_000_000, isInArea(chunk + 16),
          let link = reader.word(at: chunk + 16)
        {
          freed.append(chunk + 16)
          chunk = ThreadCache.unveiled(link, at: chunk + 16)
          count += 1
        }
      }
    }
    freed.sort()
    blocks.remove(freed)
  }

  private func isInArea(_ address: UInt64) -> Bool {
    var low = 0, high = areas.count
    while low < high {
      let middle = (low + high) / 2
      if areas[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < areas.count && areas[low].contains(address)
  }
}
