/// Which of many ranges of addresses, nested or overlapping, an address belongs to.
///
/// The ranges are flattened once: sorted places at which the answer changes. Of several ranges around an address the
/// one with the highest rank wins, so ranks that grow inwards find the innermost.
struct AddressMap {
  struct Range {
    let low: UInt64
    let high: UInt64
    let rank: Int32
  }

  static let none: Int32 = -1

  /// Ascending; from each on, up to the next, the rank at the same index is the answer.
  private(set) var starts: [UInt64] = []
  private(set) var ranks: [Int32] = []

  init() {}

  /// O(n log n) for ranges that nest; those that overlap otherwise are searched for at most 64 levels deep.
  init(_ ranges: [Range]) {
    let sorted = ranges.sorted { $0.low != $1.low ? $0.low < $1.low : $0.rank < $1.rank }
    starts.reserveCapacity(2 * sorted.count)
    ranks.reserveCapacity(2 * sorted.count)
    var open: [Range] = []
    for range in sorted where range.low < range.high {
      close(&open, until: range.low)
      var place = open.count
      while place > 0, open[place - 1].rank > range.rank, open.count - place < 64 { place -= 1 }
      open.insert(range, at: place)
      if place == open.count - 1 { begin(range.low, range.rank) }
    }
    close(&open, until: .max)
  }

  /// Ends what ends at an address or before it.
  private mutating func close(_ open: inout [Range], until limit: UInt64) {
    while let last = open.last, last.high <= limit {
      open.removeLast()
      // What lay below may have ended meanwhile.
      while let next = open.last, next.high <= last.high { open.removeLast() }
      begin(last.high, open.last?.rank ?? Self.none)
    }
  }

  private mutating func begin(_ address: UInt64, _ rank: Int32) {
    if starts.last == address {
      ranks[ranks.count - 1] = rank
    } else if ranks.last ?? Self.none != rank {
      starts.append(address)
      ranks.append(rank)
    }
  }

  /// The index of the stretch that an address is in, or -1 before the first. O(log n).
  func index(of address: UInt64) -> Int { Self.lastIndex(in: starts, 0..<starts.count, notAbove: address) }

  /// The rank of the range around an address, or `none`.
  func rank(at address: UInt64) -> Int32 {
    let index = index(of: address)
    return index < 0 ? Self.none : ranks[index]
  }

  /// The last index of a part of ascending numbers whose number is not above `value`; one before the part when all are.
  @inline(__always)
  static func lastIndex(in numbers: [UInt64], _ part: Swift.Range<Int>, notAbove value: UInt64) -> Int {
    numbers.withUnsafeBufferPointer { numbers in
      var low = part.lowerBound
      var count = part.count
      // Without a branch on the comparison, which no predictor gets right.
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
