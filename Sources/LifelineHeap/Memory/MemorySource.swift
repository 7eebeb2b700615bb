/// The source of a process's memory: a copy, or made up for a test.
public protocol MemorySource: AnyObject {
  /// All mappings, ascending.
  var regions: [MemoryRegion] { get }
  /// The bytes of a region, valid as long as the source lives; nil if they are missing.
  func bytes(ofRegion index: Int) -> UnsafeRawPointer?
}

extension MemorySource {
  /// The region that contains an address. O(log regions).
  public func region(at address: UInt64) -> Int? {
    let regions = regions
    var low = 0, high = regions.count
    while low < high {
      let middle = (low + high) / 2
      if regions[middle].addresses.upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < regions.count && regions[low].addresses.contains(address) ? low : nil
  }
}
