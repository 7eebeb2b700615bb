/// Where executable code lies.
struct CodeRanges {
  private let ranges: [Range<UInt64>]
  private let lowest: UInt64
  private let highest: UInt64

  init(_ regions: [MemoryRegion]) {
    ranges = regions.filter(\.isExecutable).map(\.addresses)
    lowest = ranges.first?.lowerBound ?? 0
    highest = ranges.last?.upperBound ?? 0
  }

  func contains(_ address: UInt64) -> Bool {
    guard address >= lowest, address < highest else { return false }
    var low = 0, high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count && ranges[low].contains(address)
  }
}
