/// Finds which of many ranges of addresses, nested or overlapping, contains an address.
///
/// The ranges are flattened once into sorted addresses at which the answer changes. Of several ranges around an address
/// the one with the highest rank wins, so ranks that grow inwards find the innermost.
struct AddressMap {
  /// Not empty.
  struct Range {
    let low: UInt64
    let high: UInt64
    let rank: Int32
  }

  static let none: Int32 = -1

  /// Ascending in each group; from each one up to the next, the rank at the same index is the answer.
  private var starts: [UInt64] = []
  private var ranks: [Int32] = []
  init() {}

  init(_ ranges: [Range]) {
    var ranges = ranges
    add(&ranges)
  }

  /// Adds a group of ranges, which the returned part of the map looks up; sorts them.
  ///
  /// O(n log n) for nested ranges; other overlaps are searched at most 64 levels deep.
  @discardableResult
  mutating func add(_ ranges: inout [Range]) -> Swift.Range<Int> {
    let first = starts.count
    guard !ranges.isEmpty else { return first..<first }
    ranges.sort { $0.low != $1.low ? $0.low < $1.low : $0.rank < $1.rank }
    // A range changes the answer at most twice, at its beginning and its end.
    starts.append(contentsOf: repeatElement(0, count: 2 * ranges.count))
    ranks.append(contentsOf: repeatElement(0, count: 2 * ranges.count))
    let count = starts.withUnsafeMutableBufferPointer { starts in
      ranks.withUnsafeMutableBufferPointer { ranks in
        withUnsafeTemporaryAllocation(of: Range.self, capacity: ranges.count) { open in
          var sweep = AddressSweep(
            starts: UnsafeMutableBufferPointer(rebasing: starts[first...]),
            ranks: UnsafeMutableBufferPointer(rebasing: ranks[first...]), open: open)
          for range in ranges { sweep.begin(range) }
          sweep.close(until: .max)
          return sweep.count
        }
      }
    }
    starts.removeLast(2 * ranges.count - count)
    ranks.removeLast(2 * ranges.count - count)
    return first..<starts.count
  }

  /// The rank of the range around an address, or `none`. O(log n).
  func rank(at address: UInt64) -> Int32 { rank(at: address, in: 0..<starts.count) }

  /// The same among one group.
  func rank(at address: UInt64, in group: Swift.Range<Int>) -> Int32 {
    let index = Self.lastIndex(in: starts, group, notAbove: address)
    return index < group.lowerBound ? Self.none : ranks[index]
  }

  /// Where the surrounding range with the same rank begins, or nil before the first one. O(log n).
  func start(of address: UInt64, in group: Swift.Range<Int>) -> UInt64? {
    let index = Self.lastIndex(in: starts, group, notAbove: address)
    return index < group.lowerBound ? nil : starts[index]
  }

  /// The rank at an address, and the surrounding range with the same one.
  func stretch(at address: UInt64) -> (rank: Int32, low: UInt64, high: UInt64) {
    let index = Self.lastIndex(in: starts, 0..<starts.count, notAbove: address)
    let high = index + 1 < starts.count ? starts[index + 1] : .max
    return index < 0 ? (Self.none, 0, high) : (ranks[index], starts[index], high)
  }

  /// The last index in a part of ascending numbers whose number is not above `value`; one before the part if all are.
  @inline(__always)
  static func lastIndex(in numbers: [UInt64], _ part: Swift.Range<Int>, notAbove value: UInt64) -> Int {
    numbers.withUnsafeBufferPointer { numbers in
      var low = part.lowerBound
      var count = part.count
      // Without a branch on the comparison, which is unpredictable.
      while count > 0 {
        let half = count / 2
        let isNotAbove = numbers[low + half] <= value
        low = isNotAbove ? low + half + 1 : low
        count = isNotAbove ? count - half - 1 : half
      }
      return low - 1
    }
  }
}
