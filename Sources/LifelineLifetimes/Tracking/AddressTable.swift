import LifelineTrace

/// Maps addresses to small numbers: open addressing, as Dictionary would cost more than all other work on an event. Its
/// owner must deallocate it.
public struct AddressTable {
  private var keys: UnsafeMutablePointer<UInt64>
  private var values: UnsafeMutablePointer<Int32>
  private var mask: Int
  private(set) var count = 0

  public init() {
    mask = 1023
    keys = .allocate(capacity: 1024)
    keys.initialize(repeating: 0, count: 1024)
    values = .allocate(capacity: 1024)
    values.initialize(repeating: 0, count: 1024)
  }

  public func deallocate() {
    keys.deallocate()
    values.deallocate()
  }

  @inline(__always)
  private func slot(_ key: UInt64) -> Int {
    var slot = SlotHash.of(key) & mask
    while keys[slot] != 0, keys[slot] != key { slot = (slot + 1) & mask }
    return slot
  }

  /// The number of an address, or -1.
  @inline(__always)
  public func find(_ key: UInt64) -> Int {
    let slot = slot(key)
    return keys[slot] == key ? Int(values[slot]) : -1
  }

  public mutating func set(_ key: UInt64, to value: Int) {
    let slot = slot(key)
    if keys[slot] == 0 {
      count += 1
      keys[slot] = key
    }
    values[slot] = Int32(truncatingIfNeeded: value)
    if count * 2 > mask { grow() }
  }

  private mutating func grow() {
    let oldKeys = keys
    let oldValues = values
    let oldCapacity = mask + 1
    mask = oldCapacity * 2 - 1
    keys = .allocate(capacity: mask + 1)
    keys.initialize(repeating: 0, count: mask + 1)
    values = .allocate(capacity: mask + 1)
    values.initialize(repeating: 0, count: mask + 1)
    for index in 0..<oldCapacity where oldKeys[index] != 0 {
      let place = slot(oldKeys[index])
      keys[place] = oldKeys[index]
      values[place] = oldValues[index]
    }
    oldKeys.deallocate()
    oldValues.deallocate()
  }
}
