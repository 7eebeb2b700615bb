/// Where the stored properties of a file's classes lie in their objects, from the classes' metadata.
///
/// Format: swift/ABI/Metadata.h, without Objective-C. The address point of a class's metadata, in bytes:
///
///   ┌──────┬────────────┬───────┬────────┬───────────────┬───────────┬────────────┬───────┬────────────┬─ ─
///   │ kind │ superclass │ flags │ offset │ instance size │ alignment │ class size │ point │ descriptor │
///   └──────┴────────────┴───────┴────────┴───────────────┴───────────┴────────────┴───────┴────────────┴─ ─
///      8         8          4       4            4             4           4          4         8
///
/// The descriptor says at which word the offsets are, 8 bytes each. Generic classes, and those whose layout another
/// library decides, have theirs in memory only.
struct FieldOffsets {
  private let data: SectionData
  /// By the descriptor's address.
  private var metadata: [UInt64: UInt64] = [:]

  /// Reads the pointers to the descriptors of classes. O(pointers).
  init(_ data: SectionData, _ pointers: PointerTable, classes: Set<UInt64>) {
    self.data = data
    for (address, descriptor) in pointers.pointers(to: classes) where address >= 40 {
      if isMetadata(address - 40) { metadata[descriptor] = address - 40 }
    }
  }

  /// The offset of each stored property that a class declares, in order; nil where it is not known.
  func offsets(ofClass descriptor: UInt64, count: Int) -> [Int?] {
    let unknown = [Int?](repeating: nil, count: count)
    guard let metadata = metadata[descriptor], let flags = data.word(at: descriptor), flags & Self.isResilient == 0,
      data.word(at: descriptor &+ 36).map(Int.init) == count, let first = data.word(at: descriptor &+ 40),
      let size = data.word(at: metadata + 24), let whole = data.word(at: metadata + 32),
      let before = data.word(at: metadata + 36), UInt64(first) * 8 + UInt64(count) * 8 <= UInt64(whole - before)
    else { return unknown }
    return (0..<count).map { index in
      let place = metadata &+ (UInt64(first) + UInt64(index)) * 8
      guard let low = data.word(at: place), data.word(at: place &+ 4) == 0, low >= 16, low <= size else { return nil }
      return Int(low)
    }
  }

  /// In a descriptor's flags: the superclass may have another layout when the program runs.
  private static let isResilient: UInt32 = 1 << 29

  /// A pointer to a descriptor may also be a table's: the words before it show what it is.
  private func isMetadata(_ address: UInt64) -> Bool {
    let usesSwiftCounts: UInt32 = 2
    guard data.word(at: address) == 0, data.word(at: address + 4) == 0, let flags = data.word(at: address + 16),
      let size = data.word(at: address + 24), let whole = data.word(at: address + 32),
      let before = data.word(at: address + 36)
    else { return false }
    return flags & usesSwiftCounts != 0 && size >= 16 && before >= 16 && before < whole && whole < 1 << 20
  }
}
