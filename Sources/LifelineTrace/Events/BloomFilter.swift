/// A set of numbers that is queried at every event, and seems to contain some numbers that it does not.
///
/// It has one bit for each number (B. H. Bloom, "Space/time trade-offs in hash coding with allowable errors", 1970),
/// and at least 32 bits for each number in the set, at most 4 MiB in all.
public final class BloomFilter {
  private static let smallest = 12
  private static let largest = 25

  /// What a query needs, without a reference to count: valid while the filter exists.
  public struct Bits {
    @usableFromInline let words: UnsafeMutablePointer<UInt64>
    @usableFromInline let shift: UInt64

    @inlinable
    @inline(__always)
    func place(_ number: UInt64) -> Int {
      Int(truncatingIfNeeded: ((number ^ number >> 32) &* 0x9E37_79B9_7F4A_7C15) >> shift)
    }

    /// True for every number in the set, and for about one in 32 others while the set has less than a million.
    @inlinable
    @inline(__always)
    public func contains(_ number: UInt64) -> Bool {
      let place = place(number)
      return words[place >> 6] & 1 << UInt64(place & 63) != 0
    }
  }

  public let bits: Bits

  public init(_ numbers: some Collection<UInt64>) {
    var size = Self.smallest
    while size < Self.largest, 1 << size < numbers.count * 32 { size += 1 }
    bits = Bits(words: .allocate(capacity: (1 << size) / 64), shift: UInt64(64 - size))
    bits.words.initialize(repeating: 0, count: (1 << size) / 64)
    for number in numbers {
      let place = bits.place(number)
      bits.words[place >> 6] |= 1 << UInt64(place & 63)
    }
  }

  /// A set that contains every number.
  public init() {
    bits = Bits(words: .allocate(capacity: (1 << Self.smallest) / 64), shift: UInt64(64 - Self.smallest))
    bits.words.initialize(repeating: .max, count: (1 << Self.smallest) / 64)
  }

  deinit { bits.words.deallocate() }
}
