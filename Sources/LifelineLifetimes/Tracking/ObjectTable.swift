import CLifelineFormat
import Glibc
import LifelineTrace

/// Who lives at which address: open addressing, and all that an event changes of an object in one cache line.
///
/// Reading a large trace waits for memory more than for anything else: of a hundred thousand live objects hardly one is
/// in a cache when its event comes. So a batch of events has its lines fetched before the first of them is looked at.
struct ObjectTable {
  /// What events change, 32 bytes. An address of 0 is no object.
  struct Entry {
    var address: UInt64 = 0
    var ledger: Int64 = 1
    var classIndex: Int32 = -1
    /// Who began its deinit, then who freed it.
    var endThread: UInt32 = 0
    /// Index of what is known of its allocation.
    var allocation: UInt32 = 0
    var state = ObjectState.live
    /// It is older than the events that are kept, and no count of it has been wrong.
    var isOlder = false
  }

  /// What an allocation says, and what is rarely changed.
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

  init() {
    mask = 1023
    entries = Self.entries(1024)
  }

  func deallocate() {
    free(entries)
    allocations.deallocate()
  }

  /// Memory whose entries do not straddle cache lines. Large tables ask for huge pages: each miss would miss the
  /// address translation too.
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

  /// Has the line fetched that an address is probably in.
  @inline(__always)
  func prefetch(_ address: UInt64) { lifeline_prefetch(entries + home(address)) }

  /// The entry of an address, or the empty one where it belongs. Valid until the next `insert`.
  @inline(__always)
  func place(of address: UInt64) -> UnsafeMutablePointer<Entry> {
    var slot = home(address)
    while entries[slot].address != address, entries[slot].address != 0 { slot = (slot + 1) & mask }
    return entries + slot
  }

  /// The entry of an address that was seen before, or nil.
  func find(_ address: UInt64) -> UnsafeMutablePointer<Entry>? {
    let entry = place(of: address)
    return entry.pointee.address == 0 ? nil : entry
  }

  /// Puts an object into the empty entry where it belongs; gives the entry that it has then.
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
