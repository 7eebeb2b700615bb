import Glibc

/// Memory for the copy of a process, provided while the process still runs.
///
/// The kernel clears each page of new memory, which takes about as long as the copying itself, and the process need not
/// be stopped for it.
final class CopyRoom {
  private var rooms: [UInt64: (memory: UnsafeMutableRawPointer, size: Int)] = [:]

  /// Larger regions may be reserved for the most part, and are not copied as they are.
  private static let least = 1 << 20, largest = 1 << 30
  /// By how much a region may grow meanwhile.
  private static let growth = 64 << 20
  /// MADV_POPULATE_WRITE, since Linux 5.14; where it is unknown, pages are provided as they are written to.
  private static let populate: Int32 = 23

  init(for process: Int) {
    let pagemap = open("/proc/\(process)/pagemap", O_RDONLY | O_CLOEXEC)
    guard pagemap >= 0 else { return }
    defer { close(pagemap) }
    for region in ProcessMaps.regions(of: process)
    where region.isAnonymous && region.isReadable && region.isWritable
      && Self.least...Self.largest ~= region.addresses.count
    {
      let size = region.addresses.count + Self.growth
      guard let memory = Self.reserve(size) else { continue }
      rooms[region.addresses.lowerBound] = (memory, size)
      for run in PageMap.pages(of: region, pagemap) {
        madvise(memory + Int(run.lowerBound - region.addresses.lowerBound), run.count, Self.populate)
      }
    }
  }

  deinit { for room in rooms.values { munmap(room.memory, room.size) } }

  /// Room for a region; nil if there was none, or not as much.
  func take(_ addresses: Range<UInt64>) -> (memory: UnsafeMutableRawPointer, size: Int)? {
    guard let room = rooms[addresses.lowerBound], addresses.count <= room.size else { return nil }
    return rooms.removeValue(forKey: addresses.lowerBound)
  }

  /// Address space, whose pages are provided as they are written to; nil if there is not as much.
  static func reserve(_ size: Int) -> UnsafeMutableRawPointer? {
    let memory = mmap(
      nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE), -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    if size >= 4 << 20 { madvise(memory, size, Int32(MADV_HUGEPAGE)) }
    return memory
  }
}
