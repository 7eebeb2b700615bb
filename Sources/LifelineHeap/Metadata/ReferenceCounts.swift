/// The contents of a heap object's second word (RefCount.h of the runtime, 64-bit).
///
///   63 ┬ slow │ 62 … 33 strong − 1 │ 32 deiniting │ 31 … 1 unowned │ 0 pure Swift deallocation
///
/// With `slow` and bit 62 set, the rest times 8 is the address of a side table, whose counts are at byte 16.
struct ReferenceCounts {
  private let bits: UInt64

  init(_ bits: UInt64) { self.bits = bits }

  var isImmortal: Bool { UInt32(truncatingIfNeeded: bits) == .max }
  var sideTable: UInt64? { bits >> 62 == 3 && !isImmortal ? bits << 3 & 0x7FFF_FFFF_FFF8 : nil }
  var isDeiniting: Bool { !isImmortal && bits >> 32 & 1 != 0 }
  var strong: UInt32 { isImmortal ? 0 : UInt32(bits >> 33 & 0x3FFF_FFFF) + 1 }
  private var unowned: UInt32 { UInt32(bits >> 1 & 0x7FFF_FFFF) }
  /// An object has an unowned reference to itself until its memory is freed.
  var hasUnowned: Bool { !isImmortal && unowned > 1 }
  /// In a side table, which weak references keep: the memory of its object has been freed.
  var isFreed: Bool { isDeiniting && unowned == 0 && strong == 1 }
  var isPlausible: Bool { isImmortal || unowned >= 1 && bits >> 63 == 0 }
}
