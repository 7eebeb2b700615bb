/// Ascending ranges of addresses that are queried often and mostly without a match.
struct AddressRanges {
  private let ranges: [Range<UInt64>]
  private let lowest: UInt64
  private let highest: UInt64

  init(_ regions: [MemoryRegion], where isWanted: (MemoryRegion) -> Bool) {
    ranges = regions.filter(isWanted).map(\.addresses)
    lowest = ranges.first?.lowerBound ?? 0
    highest = ranges.last?.upperBound ?? 0
  }

  @inline(__always)
  func contains(_ address: UInt64) -> Bool { address >= lowest && address < highest && search(address) }

  private func search(_ address: UInt64) -> Bool {
    var low = 0, high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(address)
  }
}
