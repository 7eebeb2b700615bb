import Glibc

/// Reads single values from a process's memory; nil for missing memory.
struct MemoryReader {
  let source: any MemorySource
  private let regions: [MemoryRegion]
  private var last = 0

  init(_ source: any MemorySource) {
    self.source = source
    regions = source.regions
  }

  /// The bytes from an address to the end of its region.
  mutating func bytes(at address: UInt64) -> UnsafeRawBufferPointer? {
    if last >= regions.count || !regions[last].addresses.contains(address) {
      var low = 0, high = regions.count
      while low < high {
        let middle = (low + high) / 2
        if regions[middle].addresses.upperBound <= address { low = middle + 1 } else { high = middle }
      }
      guard low < regions.count, regions[low].addresses.contains(address) else { return nil }
      last = low
    }
    guard let start = source.bytes(ofRegion: last) else { return nil }
    let range = regions[last].addresses
    return UnsafeRawBufferPointer(
      start: start + Int(address - range.lowerBound), count: Int(range.upperBound - address))
  }

  mutating func word(at address: UInt64) -> UInt64? {
    guard let bytes = bytes(at: address), bytes.count >= 8 else { return nil }
    return bytes.loadUnaligned(as: UInt64.self)
  }

  mutating func half(at address: UInt64) -> UInt32? {
    guard let bytes = bytes(at: address), bytes.count >= 4 else { return nil }
    return bytes.loadUnaligned(as: UInt32.self)
  }

  mutating func quarter(at address: UInt64) -> UInt16? {
    guard let bytes = bytes(at: address), bytes.count >= 2 else { return nil }
    return bytes.loadUnaligned(as: UInt16.self)
  }

  /// The target of a 32-bit pointer relative to its own address; nil if it is zero.
  mutating func relative(at address: UInt64) -> UInt64? {
    guard let offset = half(at: address), offset != 0 else { return nil }
    return address &+ UInt64(bitPattern: Int64(Int32(bitPattern: offset)))
  }

  /// A relative pointer whose lowest bit means that it leads to a pointer.
  mutating func relativeIndirectable(at address: UInt64) -> UInt64? {
    guard let target = relative(at: address) else { return nil }
    return target & 1 == 0 ? target : word(at: target & ~1)
  }

  /// A NUL-terminated text of at most `limit` bytes.
  mutating func text(at address: UInt64, limit: Int = 1000) -> String? {
    guard let bytes = bytes(at: address), let end = bytes.prefix(limit).firstIndex(of: 0) else { return nil }
    return String(validating: bytes[..<end], as: UTF8.self)
  }
}
