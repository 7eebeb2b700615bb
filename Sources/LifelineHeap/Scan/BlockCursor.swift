/// The bytes of blocks, requested in order of address.
struct BlockCursor {
  private let source: any MemorySource
  private let regions: [MemoryRegion]
  private var region = -1
  private var start: UInt64 = 0
  private var end: UInt64 = 0
  private var memory: UnsafeRawPointer?

  init(_ source: any MemorySource) {
    self.source = source
    regions = source.regions
  }

  /// Nil if nothing was copied there.
  @inline(__always)
  mutating func bytes(at address: UInt64) -> UnsafeRawPointer? {
    if address >= end { advance(to: address) }
    guard let memory, address >= start else { return nil }
    return memory + Int(address - start)
  }

  private mutating func advance(to address: UInt64) {
    while address >= end, region + 1 < regions.count {
      region += 1
      (start, end) = (regions[region].addresses.lowerBound, regions[region].addresses.upperBound)
    }
    memory = start..<end ~= address ? source.bytes(ofRegion: region) : nil
  }
}
