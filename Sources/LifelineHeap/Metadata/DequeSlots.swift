/// Which words of a deque's buffer have elements: a ring after a header (_DequeBufferHeader of the standard library and
/// of swift-collections).
///
///   ┌────────┬──────────────┬───────────┬───────────────────────┬──────────────┐
///   │ object │ capacity, 16 │ count, 24 │ number of the first,  │ capacity ×   │
///   │        │              │           │ 32                    │ element …    │
///   └────────┴──────────────┴───────────┴───────────────────────┴──────────────┘
struct DequeSlots {
  static let headerSize = 40

  /// The words with elements, ascending.
  let used: [Range<Int>]
  /// Those of the next element; nil if there is no room.
  let next: Range<Int>?

  /// `elements` is the offset of the first slot. Nil if a block of that many words has no room for the capacity.
  init?(of object: UnsafeRawPointer, words: Int, elements: Int, stride: Int) {
    guard words * 8 >= elements else { return nil }
    let capacity = object.load(fromByteOffset: 16, as: Int.self)
    let count = object.load(fromByteOffset: 24, as: Int.self), start = object.load(fromByteOffset: 32, as: Int.self)
    guard capacity >= 0, capacity <= (words * 8 - elements) / stride, 0...capacity ~= count,
      start == 0 || 0..<capacity ~= start
    else { return nil }
    func place(_ slots: Range<Int>) -> Range<Int> {
      (elements + slots.lowerBound * stride) / 8..<(elements + slots.upperBound * stride + 7) / 8
    }
    let end = min(start + count, capacity)
    let parts = [0..<start + count - end, start..<end].filter { !$0.isEmpty }.map(place)
    // Small elements may share a word.
    let isOne = parts.count == 2 && parts[0].upperBound > parts[1].lowerBound
    used = isOne ? [parts[0].lowerBound..<parts[1].upperBound] : parts
    let slot = start + count < capacity ? start + count : start + count - capacity
    next = count < capacity ? place(slot..<slot + 1) : nil
  }
}
