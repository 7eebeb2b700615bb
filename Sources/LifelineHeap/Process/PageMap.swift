import Glibc

/// Which pages of a mapping have contents of their own, from /proc/PID/pagemap.
enum PageMap {
  /// Larger mappings are reserved address space, whose pages would take long to check.
  private static let largestHidden = 16 << 30
  private static let present: UInt64 = 1 << 63, swapped: UInt64 = 1 << 62, ofFile: UInt64 = 1 << 61

  /// Runs of pages that may have contents: for anonymous and shared memory the touched ones, otherwise all.
  static func pages(of region: MemoryRegion, _ file: Int32) -> [Range<UInt64>] {
    guard region.isAnonymous || region.isShared, region.addresses.count > 16 * 4096 else { return [region.addresses] }
    return runs(of: region, file) { $0 & (present | swapped) != 0 } ?? [region.addresses]
  }

  /// Runs of touched pages in unreadable memory.
  static func touchedPages(of region: MemoryRegion, _ file: Int32) -> [Range<UInt64>] {
    guard region.addresses.count <= largestHidden else { return [] }
    return runs(of: region, file) { $0 & (present | swapped) != 0 } ?? []
  }

  /// Runs of modified pages in a private file mapping: relocated data that was then made read-only.
  static func changedPages(of region: MemoryRegion, _ file: Int32) -> [Range<UInt64>] {
    runs(of: region, file) { $0 & swapped != 0 || $0 & present != 0 && $0 & ofFile == 0 } ?? []
  }

  private static func runs(of region: MemoryRegion, _ file: Int32, where isWanted: (UInt64) -> Bool) -> [Range<UInt64>]?
  {
    guard file >= 0 else { return nil }
    var runs: [Range<UInt64>] = []
    var address = region.addresses.lowerBound
    var entries = [UInt64](repeating: 0, count: 32768)
    while address < region.addresses.upperBound {
      let wanted = min(entries.count, Int((region.addresses.upperBound - address) / 4096))
      let count = entries.withUnsafeMutableBytes { pread(file, $0.baseAddress!, wanted * 8, off_t(address / 4096 * 8)) }
      guard count >= 8 else { return nil }
      for entry in entries.prefix(count / 8) {
        if isWanted(entry) {
          if let last = runs.last, last.upperBound == address {
            runs[runs.count - 1] = last.lowerBound..<address + 4096
          } else {
            runs.append(address..<address + 4096)
          }
        }
        address += 4096
      }
    }
    return runs
  }
}
