import LifelineTrace

/// Maps addresses to small numbers: open addressing, because Dictionary would cost more than all other work on an
/// event. Its owner must deallocate it.
public struct AddressTable {
  /// Both are adjacent in memory, because a look-up waits for it.
  private struct Slot {
    var key: UInt64 = 0
    var value: Int32 = 0
  }

  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private(set) var count = 0
  private static let smallest = 64

  public init() {
    mask = Self.smallest - 1
    slots = .allocate(capacity: Self.smallest)
    slots.initialize(repeating: Slot(), count: Self.smallest)
  }

  public func deallocate() { slots.deallocate() }

  @inline(__always)
  private func slot(_ key: UInt64) -> Int {
    var slot = SlotHash.of(key) & mask
    while slots[slot].key != 0, slots[slot].key != key { slot = (slot + 1) & mask }
    return slot
  }

  /// The number of an address, or -1.
  @inline(__always)
  public func find(_ key: UInt64) -> Int {
    let slot = slots[slot(key)]
    return slot.key == key ? Int(slot.value) : -1
  }

  public mutating func set(_ key: UInt64, to value: Int) {
    let slot = slot(key)
    if slots[slot].key == 0 { count += 1 }
    slots[slot] = Slot(key: key, value: Int32(truncatingIfNeeded: value))
    if count * 2 > mask { grow() }
  }

  private mutating func grow() {
    let old = slots
    let oldCapacity = mask + 1
    mask = oldCapacity * 2 - 1
    slots = .allocate(capacity: mask + 1)
    slots.initialize(repeating: Slot(), count: mask + 1)
    for index in 0..<oldCapacity where old[index].key != 0 { slots[slot(old[index].key)] = old[index] }
    old.deallocate()
  }
}
