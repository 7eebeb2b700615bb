import CLifelineFormat
import LifelineTrace

/// The current or last object at each address: open addressing, with one cache line for an object, because a look-up
/// waits for memory. Its owner must deallocate it.
struct ResidentTable {
  struct Resident {
    var address: UInt64 = 0
    /// Index of its class's name.
    var nameIndex: Int32 = 0
    var number: UInt32 = 0
  }

  private var residents: UnsafeMutablePointer<Resident>
  private var mask: Int
  private var count = 0
  private static let smallest = 64

  init() {
    mask = Self.smallest - 1
    residents = Self.residents(Self.smallest)
  }

  func deallocate() { residents.deallocate() }

  private static func residents(_ count: Int) -> UnsafeMutablePointer<Resident> {
    let residents = UnsafeMutablePointer<Resident>.allocate(capacity: count)
    residents.initialize(repeating: Resident(), count: count)
    return residents
  }

  @inline(__always)
  private func home(_ address: UInt64) -> Int { SlotHash.of(address) & mask }

  @inline(__always)
  private func place(of address: UInt64) -> UnsafeMutablePointer<Resident> {
    var slot = home(address)
    while residents[slot].address != address, residents[slot].address != 0 { slot = (slot + 1) & mask }
    return residents + slot
  }

  /// Prefetches the line that probably contains an address.
  @inline(__always)
  func prefetch(_ address: UInt64) { lifeline_prefetch(residents + home(address)) }

  func find(_ address: UInt64) -> Resident? {
    let resident = place(of: address).pointee
    return resident.address == 0 ? nil : resident
  }

  @inline(__always)
  mutating func set(_ address: UInt64, nameIndex: Int32, number: UInt32) {
    let place = place(of: address)
    if place.pointee.address == 0 { count += 1 }
    place.pointee = Resident(address: address, nameIndex: nameIndex, number: number)
    if count * 2 > mask { grow() }
  }

  private mutating func grow() {
    let old = UnsafeBufferPointer(start: residents, count: mask + 1)
    mask = old.count * 2 - 1
    residents = Self.residents(mask + 1)
    for resident in old where resident.address != 0 { place(of: resident.address).pointee = resident }
    old.deallocate()
  }
}
