import CLifelineFormat

/// The objects that a recording with a shrinking sample recorded to their end.
///
/// Those have their full histories. Others were partly recorded and would look as if they were never released, so their
/// events are omitted, except where the probe caught something.
struct SampleFilter {
  private let limit: UInt64
  private let exempt: Set<UInt64>

  /// `exempt` are addresses of objects with a caught problem.
  init(denominator: Int, exempt: Set<UInt64> = []) {
    limit = (1 << 32) / UInt64(max(1, denominator))
    self.exempt = exempt
  }

  /// The probe's decision (Process/sample.h).
  @inline(__always)
  func contains(_ object: UInt64) -> Bool {
    ((object & 0x00FF_FFFF_FFFF_FFF8) &* 0x9E37_79B9_7F4A_7C15) >> 32 < limit || exempt.contains(object)
  }
}
