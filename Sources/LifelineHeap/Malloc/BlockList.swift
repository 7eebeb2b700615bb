/// Allocated blocks of memory, by address: what malloc returned, ascending.
struct BlockList {
  private(set) var addresses: [UInt64] = []
  private(set) var wordCounts: [UInt32] = []

  var count: Int { addresses.count }

  mutating func append(_ address: UInt64, bytes: UInt64) {
    addresses.append(address)
    wordCounts.append(UInt32(clamping: bytes / 8))
  }

  mutating func reserve(_ count: Int) {
    addresses.reserveCapacity(count)
    wordCounts.reserveCapacity(count)
  }

  /// Sorts the blocks by address; of two that overlap the first stays.
  mutating func sort() {
    if addresses.indices.dropFirst().allSatisfy({ addresses[$0 - 1] < addresses[$0] }) { return }
    let order = addresses.indices.sorted { addresses[$0] < addresses[$1] }
    var sorted = BlockList()
    for index in order {
      if let last = sorted.addresses.last, last + UInt64(sorted.wordCounts[sorted.count - 1]) * 8 > addresses[index] {
        continue
      }
      sorted.append(addresses[index], bytes: UInt64(wordCounts[index]) * 8)
    }
    self = sorted
  }

  /// Removes blocks by their addresses; both lists are ascending.
  mutating func remove(_ freed: [UInt64]) {
    guard !freed.isEmpty else { return }
    var kept = 0, next = 0
    for index in addresses.indices {
      while next < freed.count, freed[next] < addresses[index] { next += 1 }
      if next < freed.count, freed[next] == addresses[index] { continue }
      addresses[kept] = addresses[index]
      wordCounts[kept] = wordCounts[index]
      kept += 1
    }
    addresses.removeLast(count - kept)
    wordCounts.removeLast(wordCounts.count - kept)
  }
}
