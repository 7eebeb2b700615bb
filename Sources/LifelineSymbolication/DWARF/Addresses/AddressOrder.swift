/// Sorts addresses by radix, because a large program has millions of symbols.
struct AddressOrder {
  private struct Key {
    let address: UInt64
    let index: UInt32
  }

  /// The indices of addresses in ascending order, stable for equal ones. O(n) for each 11 bits in which they differ.
  static func indices(of addresses: [UInt64]) -> [UInt32] {
    var keys = zip(addresses, UInt32(0)...).map { Key(address: $0, index: $1) }
    var other = keys
    let common = addresses.reduce(into: (and: UInt64.max, or: UInt64(0))) { $0 = ($0.and & $1, $0.or | $1) }
    for shift in stride(from: UInt64(0), to: 64, by: 11) where (common.and ^ common.or) >> shift & 0x7FF != 0 {
      keys.withUnsafeBufferPointer { from in
        other.withUnsafeMutableBufferPointer { to in pass(from, to, shift) }
      }
      swap(&keys, &other)
    }
    return keys.map(\.index)
  }

  /// Moves keys to the order of 11 bits of their addresses.
  private static func pass(_ from: UnsafeBufferPointer<Key>, _ to: UnsafeMutableBufferPointer<Key>, _ shift: UInt64) {
    var starts = [Int](repeating: 0, count: 0x801)
    starts.withUnsafeMutableBufferPointer { starts in
      for key in from { starts[Int(key.address >> shift & 0x7FF) + 1] += 1 }
      for digit in 1..<starts.count { starts[digit] += starts[digit - 1] }
      for key in from {
        let digit = Int(key.address >> shift & 0x7FF)
        to[starts[digit]] = key
        starts[digit] += 1
      }
    }
  }
}
