/// The slot of a key in a table with open addressing.
///
/// Multiplication by 2⁶⁴ divided by the golden ratio (D. Knuth, The Art of Computer Programming 3, section 6.4) carries
/// each bit of a key upwards only. The low bits of the product do not depend on the key's high ones: keys that differ
/// only there, such as addresses of objects on separate pages, would all belong in a few slots.
public enum SlotHash {
  /// 40 bits, of which a table uses as many low ones as its size needs.
  @inlinable
  @inline(__always)
  public static func of(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: ((key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 24)
  }
}
