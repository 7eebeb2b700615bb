import CLifelineFormat
import Glibc
import LifelineTrace

/// The objects by address: open addressing, with everything that an event changes of an object in one cache line.
///
/// Reading a large trace mostly waits for memory: of a hundred thousand live objects hardly any is in a cache when its
/// event comes. So a batch of events has its cache lines prefetched before the first of them is processed.
struct ObjectTable {
  /// The part that events change, 32 bytes. An address of 0 means no object.
  struct Entry {
    var address: UInt64 = 0
    var ledger: Int64 = 1
    var classIndex: Int32 = -1
    /// The thread that began its deinit, then the one that freed it.
    var endThread: UInt32 = 0
    /// Index of the facts about its allocation.
    var allocation: UInt32 = 0
    var state = ObjectState.live
    /// Whether it is older than the kept events and no count of it has been wrong.
    var isOlder = false
  }

  /// The facts of an allocation, and what rarely changes.
  struct Allocation {
    var number: UInt32 = 0
    var size: UInt32 = 0
    var sequence: UInt64 = 0
    var clock: UInt64 = 0
    var thread: UInt32 = 0
    var backtrace = BacktraceID.empty
    var gaps: UInt32 = 0
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private(set) var count = 0
  private(set) var allocations = GrowingBuffer<Allocation>()
  private static let smallest = 64

  init() {
    mask = Self.smallest - 1
    entries = Self.entries(Self.smallest)
  }

  func deallocate() {
    free(entries)
    allocations.deallocate()
  }

  /// Memory whose entries do not straddle cache lines. Large tables use huge pages, as otherwise each miss would also
  /// miss the address translation.
  private static func entries(_ count: Int) -> UnsafeMutablePointer<Entry> {
    let size = count * MemoryLayout<Entry>.stride
    let hugePage = 2 << 20
    var memory: UnsafeMutableRawPointer?
    precondition(
      posix_memalign(&memory, size >= hugePage ? hugePage : 64, size) == 0, "There is no memory for \(count) objects.")
    if size >= hugePage { madvise(memory, size, MADV_HUGEPAGE) }
    let entries = memory!.bindMemory(to: Entry.self, capacity: count)
    entries.initialize(repeating: Entry(), count: count)
    return entries
  }

  @inline(__always)
  private func home(_ address: UInt64) -> Int { SlotHash.of(address) & mask }

  /// Prefetches the line that probably contains an address.
  @inline(__always)
  func prefetch(_ address: UInt64) { lifeline_prefetch(entries + home(address)) }

  /// The entry of an address, or the empty one for it. Valid until the next `insert`.
  @inline(__always)
  func place(of address: UInt64) -> UnsafeMutablePointer<Entry> {
    var slot = home(address)
    while entries[slot].address != address, entries[slot].address != 0 { slot = (slot + 1) & mask }
    return entries + slot
  }

  /// The entry of a known address, or nil.
  func find(_ address: UInt64) -> UnsafeMutablePointer<Entry>? {
    let entry = place(of: address)
    return entry.pointee.address == 0 ? nil : entry
  }

  /// Puts an object into the empty entry for it; returns its final entry.
  mutating func insert(_ entry: Entry, _ allocation: Allocation, at place: UnsafeMutablePointer<Entry>)
    -> UnsafeMutablePointer<Entry>
  {
    place.pointee = entry
    place.pointee.allocation = UInt32(truncatingIfNeeded: allocations.count)
    allocations.append(allocation)
    count += 1
    guard count * 2 > mask else { return place }
    grow()
    return self.place(of: entry.address)
  }

  private mutating func grow() {
    let old = UnsafeBufferPointer(start: entries, count: mask + 1)
    mask = old.count * 2 - 1
    entries = Self.entries(mask + 1)
    for entry in old where entry.address != 0 { place(of: entry.address).pointee = entry }
    free(UnsafeMutableRawPointer(mutating: old.baseAddress))
  }

  /// All objects, in no order.
  var all: some Sequence<Entry> { UnsafeBufferPointer(start: entries, count: mask + 1).lazy.filter { $0.address != 0 } }
}
