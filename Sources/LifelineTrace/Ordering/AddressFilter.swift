/// A set of addresses that is queried at every event and almost never contains the address.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class AddressFilter {
  private static let size = 4096
  private let bits: UnsafeMutablePointer<Bool>
  @exclusivity(unchecked) private var addresses: Set<UInt64> = []

  init() {
    bits = .allocate(capacity: Self.size)
    bits.initialize(repeating: false, count: Self.size)
  }

  deinit { bits.deallocate() }

  @inline(__always)
  private func slot(_ address: UInt64) -> Int { Int(truncatingIfNeeded: (address &* 0x9E37_79B9_7F4A_7C15) >> 52) }

  @inline(__always)
  func contains(_ address: UInt64) -> Bool { bits[slot(address)] && addresses.contains(address) }

  func insert(_ address: UInt64) {
    bits[slot(address)] = true
    addresses.insert(address)
  }

  func removeAll() {
    for address in addresses { bits[slot(address)] = false }
    addresses.removeAll(keepingCapacity: true)
  }
}
