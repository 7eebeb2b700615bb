import Glibc

/// Which pages of a mapping have contents of their own, from /proc/PID/pagemap.
enum PageMap {
  /// Larger mappings are reserved address space, whose pages would take long to check.
  private static let largestHidden = 16 << 30, largestRead = 64 << 30
  /// Regions of this size may be reserved for the most part.
  private static let large = 1 << 30, near: UInt64 = 64 << 20
  private static let present: UInt64 = 1 << 63, swapped: UInt64 = 1 << 62, ofFile: UInt64 = 1 << 61

  /// Runs of pages that may have contents: for anonymous and shared memory the touched ones, otherwise all.
  static func pages(of region: MemoryRegion, _ file: Int32) -> [Range<UInt64>] {
    guard region.isAnonymous || region.isShared, region.addresses.count > 16 * 4096 else { return [region.addresses] }
    return runs(of: region, file) { $0 & (present | swapped) != 0 } ?? [region.addresses]
  }

  /// The parts of a large region that were touched, with what lies between those that are near each other: all else is
  /// zero, and would take longer to look at than everything that has contents.
  static func touchedParts(of region: MemoryRegion, _ file: Int32) -> [MemoryRegion] {
    guard region.isReadable, region.isAnonymous || region.isShared, region.addresses.count > large,
      let runs = runs(of: region, file, where: { $0 & (present | swapped) != 0 })
    else { return [region] }
    var parts: [Range<UInt64>] = []
    for run in runs {
      if let last = parts.last, run.lowerBound - last.upperBound < near {
        parts[parts.count - 1] = last.lowerBound..<run.upperBound
      } else {
        parts.append(run)
      }
    }
    return parts.map { part in
      MemoryRegion(
        addresses: part, isReadable: true, isWritable: region.isWritable, isExecutable: region.isExecutable,
        isShared: region.isShared, path: region.path,
        fileOffset: region.fileOffset + (part.lowerBound - region.addresses.lowerBound), inode: region.inode)
    }
  }

  /// Whether a region would have to be read as a whole, and is too large for that.
  static func isUnreadable(_ region: MemoryRegion) -> Bool {
    region.isReadable && (region.isAnonymous || region.isShared) && region.addresses.count > largestRead
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
    func add(_ pages: Range<UInt64>, _ entry: UInt64) {
      guard isWanted(entry) else { return }
      if let last = runs.last, last.upperBound == pages.lowerBound {
        runs[runs.count - 1] = last.lowerBound..<pages.upperBound
      } else {
        runs.append(pages)
      }
    }
    if scan(region.addresses, file, add) { return runs }
    guard region.addresses.count <= largestRead else { return nil }
    runs = []
    var address = region.addresses.lowerBound
    var entries = [UInt64](repeating: 0, count: 32768)
    while address < region.addresses.upperBound {
      let wanted = min(entries.count, Int((region.addresses.upperBound - address) / 4096))
      let count = entries.withUnsafeMutableBytes { pread(file, $0.baseAddress!, wanted * 8, off_t(address / 4096 * 8)) }
      guard count >= 8 else { return nil }
      for entry in entries.prefix(count / 8) {
        add(address..<address + 4096, entry)
        address += 4096
      }
    }
    return runs
  }

  /// Passes on the runs of pages in memory or swapped out, with the bits of an entry. Linux 6.7 and later skip what was
  /// never touched, of which sanitizers and other allocators reserve terabytes. False where the kernel cannot.
  ///
  /// Source: struct pm_scan_arg and PAGEMAP_SCAN of linux/fs.h.
  private static func scan(_ addresses: Range<UInt64>, _ file: Int32, _ add: (Range<UInt64>, UInt64) -> Void) -> Bool {
    let request: UInt = 0xC060_6610
    let isFile: UInt64 = 1 << 2, isPresent: UInt64 = 1 << 3, isSwapped: UInt64 = 1 << 4
    var found = [UInt64](repeating: 0, count: 3 * 1024)
    var address = addresses.lowerBound
    while address < addresses.upperBound {
      var argument: [UInt64] = [96, 0, address, addresses.upperBound, 0, 0, UInt64(found.count / 3), 0, 0, 0]
      argument += [isPresent | isSwapped, isFile | isPresent | isSwapped]
      let count = found.withUnsafeMutableBytes { runs in
        argument[5] = UInt64(UInt(bitPattern: runs.baseAddress!))
        return argument.withUnsafeMutableBytes { ioctl(file, request, $0.baseAddress!) }
      }
      guard 0...found.count / 3 ~= Int(count), argument[4] > address else { return false }
      for run in 0..<Int(count) {
        let (start, end, kind) = (found[3 * run], found[3 * run + 1], found[3 * run + 2])
        guard address <= start, start < end, end <= addresses.upperBound else { return false }
        let entry = (kind & isPresent != 0 ? present : 0) | (kind & isSwapped != 0 ? swapped : 0)
        add(start..<end, entry | (kind & isFile != 0 ? ofFile : 0))
      }
      address = argument[4]
    }
    return true
  }
}
