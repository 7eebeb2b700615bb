/// Blocks that libdispatch keeps for reuse: each thread has a list of them, and what they held is held no more.
///
/// A thread's own variables (struct dispatch_tsd, src/shims/tsd.h of libdispatch) lie below its control block, and the
/// blocks (struct dispatch_continuation_s, src/queue_internal.h) have their number in the list in them:
///
///   ┌──────────────────┬───────┬───────┬──────┐     ┌───────┬────────────┬──────┬──────────────────────┐
///   │ thread ID, 0     │ queue │ frame │ list ─┼──▶ │ flags │ count, n   │ next ─┼──▶ … count n − 1 …  │
///   └──────────────────┴───────┴───────┴──────┘     └───────┴────────────┴──────┴──────────────────────┘
///   The last one has the count 1 and no next.
enum DispatchCaches {
  private static let longest = 4096
  /// Bytes below a control block that contain the variables of libraries loaded at the start.
  private static let variables: UInt64 = 0x8000

  /// The nodes of such blocks.
  static func nodes(_ memory: HeapMemory, _ table: borrowing BlockTable) -> [Int] {
    var reader = MemoryReader(memory.source)
    var result: [Int] = []
    for thread in memory.threads {
      guard let region = memory.source.region(at: thread.controlBlock) else { continue }
      let lowest = memory.source.regions[region].addresses.lowerBound
      var address = thread.controlBlock & ~7
      let first = max(lowest, address > variables ? address - variables : 0)
      while address >= first + 8 {
        address -= 8
        guard reader.word(at: address) == UInt64(truncatingIfNeeded: thread.id),
          let list = reader.word(at: address + 24), list != 0, let found = nodes(of: list, &reader, table)
        else { continue }
        result += found
        break
      }
    }
    return result
  }

  /// The nodes of a list, nil if it is invalid.
  private static func nodes(of list: UInt64, _ reader: inout MemoryReader, _ table: borrowing BlockTable) -> [Int]? {
    guard let count = reader.half(at: list + 8), count > 0, count <= longest else { return nil }
    var result: [Int] = []
    var address = list
    for left in stride(from: count, to: 0, by: -1) {
      let node = table.block(containing: address)
      guard node >= 0, table.addresses[node] == address, table.wordCounts[node] >= 8,
        reader.half(at: address + 8) == left, let next = reader.word(at: address + 16), (next == 0) == (left == 1)
      else { return nil }
      result.append(node)
      address = next
    }
    return result
  }
}
