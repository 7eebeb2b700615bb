/// Numbers that represent the states of a search: open addressing, since a dead end costs little else.
struct StateSet {
  private var slots: [UInt64] = []
  private var count = 0
  private var hasZero = false

  var isEmpty: Bool { count == 0 && !hasZero }

  func contains(_ state: UInt64) -> Bool {
    if state == 0 { return hasZero }
    if count == 0 { return false }
    return slots[slot(state)] == state
  }

  mutating func insert(_ state: UInt64) {
    if state == 0 {
      hasZero = true
      return
    }
    if count * 2 >= slots.count { grow() }
    let slot = slot(state)
    if slots[slot] != state {
      slots[slot] = state
      count += 1
    }
  }

  /// The slot of a state. The numbers are sums of hashes, so their upper bits need no mixing.
  private func slot(_ state: UInt64) -> Int {
    let mask = slots.count - 1
    var slot = Int(truncatingIfNeeded: state >> 32) & mask
    while slots[slot] != 0, slots[slot] != state { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    let old = slots
    slots = [UInt64](repeating: 0, count: max(64, old.count * 2))
    for state in old where state != 0 { slots[slot(state)] = state }
  }
}
