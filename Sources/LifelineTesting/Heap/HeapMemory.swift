import CLifelineHarness
import Glibc

/// This process's own memory, read so that an object which dies meanwhile cannot crash the reader.
struct HeapMemory {
  /// Where objects can lie: the writable regions, in order.
  let regions: [Range<UInt64>]

  /// Reads /proc/self/maps.
  init() {
    var regions: [Range<UInt64>] = []
    for line in Self.text(of: "/proc/self/maps").split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 2)
      guard words.count > 1, words[1].hasPrefix("rw") else { continue }
      let bounds = words[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      if bounds.count == 2, bounds[0] < bounds[1] { regions.append(bounds[0]..<bounds[1]) }
    }
    self.regions = regions
  }

  func contains(_ address: UInt64) -> Bool {
    var low = 0, high = regions.count
    while low < high {
      let middle = (low + high) / 2
      if regions[middle].upperBound <= address { low = middle + 1 } else { high = middle }
    }
    return low < regions.count && regions[low].contains(address)
  }

  /// `count` words from an address, none when they are not all readable.
  func words(at address: UInt64, count: Int) -> [UInt64] {
    guard count > 0, count <= 1 << 20 else { return [] }
    var isRead = false
    let words = [UInt64](unsafeUninitializedCapacity: count) { buffer, filled in
      isRead = lifeline_harness_read(address, buffer.baseAddress!, UInt64(count * 8))
      filled = isRead ? count : 0
    }
    return words
  }

  func word(at address: UInt64) -> UInt64? { words(at: address, count: 1).first }

  private static func text(of path: String) -> String {
    guard let file = fopen(path, "re") else { return "" }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
  }
}
