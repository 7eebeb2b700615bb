import CLifelineFormat

/// Which objects a recording that records ever fewer of them has had to its end.
///
/// Those have their whole histories. Of the others a part was recorded, which would read as objects that were never
/// released; so their events are left out, except where the probe caught something.
struct SampleFilter {
  private let limit: UInt64
  private let exempt: Set<UInt64>

  /// `exempt` are addresses of objects that the probe caught something about.
  init(denominator: Int, exempt: Set<UInt64> = []) {
    limit = (1 << 32) / UInt64(max(1, denominator))
    self.exempt = exempt
  }

  /// As the probe decides (Process/sample.h).
  @inline(__always)
  func contains(_ object: UInt64) -> Bool {
    ((object & 0x00FF_FFFF_FFFF_FFF8) &* 0x9E37_79B9_7F4A_7C15) >> 32 < limit || exempt.contains(object)
  }
}
