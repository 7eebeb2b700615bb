/// Where a key belongs in a table of open addressing.
///
/// Multiplication by 2⁶⁴ divided by the golden ratio (D. Knuth, The Art of Computer Programming 3, section 6.4) carries
/// each bit of a key upwards only. The low bits of the product know nothing of the key's high ones: keys that differ
/// only there, as the addresses of objects on pages of their own do, would all belong in a few places.
public enum SlotHash {
  /// 40 bits, of which a table takes as many of the lowest as it has places.
  @inlinable
  @inline(__always)
  public static func of(_ key: UInt64) -> Int {
    Int(truncatingIfNeeded: ((key ^ key >> 32) &* 0x9E37_79B9_7F4A_7C15) >> 24)
  }
}
