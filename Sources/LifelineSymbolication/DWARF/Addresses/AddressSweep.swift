/// Visits ranges in order of their beginnings and notes where the innermost one changes.
///
/// Its memory has room for two changes of each range, and for all ranges at once.
struct AddressSweep {
  let starts: UnsafeMutableBufferPointer<UInt64>
  let ranks: UnsafeMutableBufferPointer<Int32>
  /// The ranges at the current position of the sweep, with ascending ranks.
  let open: UnsafeMutableBufferPointer<AddressMap.Range>
  private(set) var count = 0
  private var depth = 0

  init(
    starts: UnsafeMutableBufferPointer<UInt64>, ranks: UnsafeMutableBufferPointer<Int32>,
    open: UnsafeMutableBufferPointer<AddressMap.Range>
  ) {
    (self.starts, self.ranks, self.open) = (starts, ranks, open)
  }

  mutating func begin(_ range: AddressMap.Range) {
    close(until: range.low)
    // Nested ranges go to the end; other overlaps are searched at most 64 levels deep.
    var place = depth
    while place > 0, open[place - 1].rank > range.rank, depth - place < 64 {
      open[place] = open[place - 1]
      place -= 1
    }
    open[place] = range
    depth += 1
    if place == depth - 1 { change(range.low, range.rank) }
  }

  /// Closes ranges that end at an address or before it.
  mutating func close(until limit: UInt64) {
    while depth > 0, open[depth - 1].high <= limit {
      let end = open[depth - 1].high
      depth -= 1
      // Ranges below may have ended in the meantime.
      while depth > 0, open[depth - 1].high <= end { depth -= 1 }
      change(end, depth > 0 ? open[depth - 1].rank : AddressMap.none)
    }
  }

  private mutating func change(_ address: UInt64, _ rank: Int32) {
    if count > 0, starts[count - 1] == address {
      ranks[count - 1] = rank
    } else if (count > 0 ? ranks[count - 1] : AddressMap.none) != rank {
      starts[count] = address
      ranks[count] = rank
      count += 1
    }
  }
}
