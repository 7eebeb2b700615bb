import Testing

@testable import LifelineHeap

@Suite struct DequeSlotsTests {
  @Test(
    "Words of a deque's elements: at the beginning, in the middle, and around the end",
    arguments: [
      (capacity: 4, count: 0, start: 0, stride: 8, used: [], next: 5..<6),
      (4, 2, 0, 8, [5..<7], 7..<8), (4, 2, 1, 8, [6..<8], 8..<9), (4, 3, 2, 8, [5..<6, 7..<9], 6..<7),
      (4, 4, 1, 8, [5..<6, 6..<9], nil), (2, 2, 1, 16, [5..<7, 7..<9], nil), (3, 1, 2, 16, [9..<11], 5..<7),
      (8, 3, 6, 4, [5..<6, 8..<9], 5..<6),
      (4, 3, 3, 4, [5..<6, 6..<7], 6..<7), (4, 4, 3, 4, [5..<7], nil), (0, 0, 0, 8, [], nil),
    ] as [(capacity: Int, count: Int, start: Int, stride: Int, used: [Range<Int>], next: Range<Int>?)])
  func words(_ deque: (capacity: Int, count: Int, start: Int, stride: Int, used: [Range<Int>], next: Range<Int>?)) {
    let object = [0, 0, deque.capacity, deque.count, deque.start] + Array(repeating: 0, count: 8)
    object.withUnsafeBytes {
      let slots = DequeSlots(of: $0.baseAddress!, words: object.count, elements: 40, stride: deque.stride)
      #expect(slots?.used == deque.used && slots?.next == deque.next)
    }
  }

  @Test(
    "A header that does not fit the block is not that of a deque",
    arguments: [(9, 1, 0), (-1, 0, 0), (4, 5, 0), (4, -1, 0), (4, 1, 4), (4, 1, -1), (Int.max, 1, 0)])
  func invalid(capacity: Int, count: Int, start: Int) {
    let object = [0, 0, capacity, count, start] + Array(repeating: 0, count: 8)
    object.withUnsafeBytes {
      #expect(DequeSlots(of: $0.baseAddress!, words: object.count, elements: 40, stride: 8) == nil)
    }
  }
}
