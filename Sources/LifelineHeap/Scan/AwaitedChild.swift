/// The child for which a task waits that `async let` made: it is no block of its own, but in its parent's memory.
///
/// A child (AsyncTask, its ChildFragment and its FutureFragment in swift/ABI/Task.h) has its parent, the next child and
/// the task that waits for its result in adjacent words; the last two bits of the third are 0 until it has one. It is
/// in one of the parent's slabs (`RuntimeBlocks`), to which the parent's own words refer:
///
///   ┌──────────┬───┬─────────────────┬───────┬───┬────────┬────────────┬──────────────┐
///   │ metadata │ … │ resume function │ frame │ … │ parent │ next child │ waiting task │
///   └──────────┴───┴─────────────────┴───────┴───┴────────┴────────────┴──────────────┘
struct AwaitedChild {
  /// Words of a task that may refer to its slabs, and those where a child's parent may be.
  private static let own = stride(from: UInt64(HeapGraph.frameOffset), to: 0xD0, by: 8)
  private static let fragment = stride(from: UInt64(0x90), to: 0x140, by: 8)
  private static let slabHeader: UInt64 = 32, slabLimit = 1000
  private let images: ImageMap
  private var reader: MemoryReader

  init(_ source: any MemorySource, _ images: ImageMap) {
    self.images = images
    reader = MemoryReader(source)
  }

  /// The address of the child that the task at an address waits for; nil if there is none.
  mutating func child(of task: UInt64) -> UInt64? {
    guard let metadata = reader.word(at: task) else { return nil }
    var seen: Set<UInt64> = []
    var next = Self.own.compactMap { reader.word(at: task + $0) }
    while let slab = next.popLast() {
      guard seen.count < Self.slabLimit, let used = usedBytes(ofSlab: slab), seen.insert(slab).inserted else {
        continue
      }
      for place in stride(from: slab + Self.slabHeader, to: slab + Self.slabHeader + used, by: 16)
      where place != task && reader.word(at: place) == metadata && isAwaited(place, by: task) {
        return place
      }
      if let following = reader.word(at: slab + 8) { next.append(following) }
    }
    return nil
  }

  private mutating func isAwaited(_ child: UInt64, by task: UInt64) -> Bool {
    for offset in Self.fragment where reader.word(at: child + offset) == task {
      if reader.word(at: child + offset + 16) == task { return true }
    }
    return false
  }

  private mutating func usedBytes(ofSlab address: UInt64) -> UInt64? {
    guard address > 4096, address & 15 == 0, let metadata = reader.word(at: address), metadata & 7 == 0,
      images.contains(metadata), reader.word(at: metadata) == 0, let capacity = reader.half(at: address + 16),
      let used = reader.half(at: address + 20), used <= capacity, used & 15 == 0
    else { return nil }
    return UInt64(used)
  }
}
