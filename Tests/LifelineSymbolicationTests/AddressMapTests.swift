import Testing

@testable import LifelineSymbolication

@Suite struct AddressMapTests {
  /// A generator that produces the same ranges in every run.
  private struct Numbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ state >> 33
    }
  }

  private func ranks(_ map: AddressMap, _ addresses: Range<UInt64>) -> [Int32] { addresses.map { map.rank(at: $0) } }

  @Test("A lookup finds the innermost of nested ranges, and none outside of them")
  func nested() {
    let map = AddressMap([
      .init(low: 2, high: 10, rank: 0), .init(low: 4, high: 8, rank: 1), .init(low: 4, high: 5, rank: 2),
    ])
    #expect(ranks(map, 0..<12) == [-1, -1, 0, 0, 2, 1, 1, 1, 0, 0, -1, -1])
    #expect(map.stretch(at: 6) == (1, 5, 8))
    #expect(map.stretch(at: 1) == (-1, 0, 2))
    #expect(map.stretch(at: 11) == (-1, 10, .max))
  }

  @Test("A lookup finds the range with the highest rank, however ranges overlap")
  func overlapping() {
    var numbers = Numbers(state: 1)
    for _ in 0..<300 {
      let ranges = (0..<Int32.random(in: 1...40, using: &numbers)).map { rank in
        let low = UInt64.random(in: 0..<90, using: &numbers)
        return AddressMap.Range(low: low, high: UInt64.random(in: low + 1...100, using: &numbers), rank: rank)
      }
      let expected = (0..<UInt64(100)).map { address in
        ranges.last { $0.low <= address && address < $0.high }?.rank ?? -1
      }
      #expect(ranks(AddressMap(ranges.shuffled(using: &numbers)), 0..<100) == expected)
    }
  }

  @Test("A lookup in one group of a map ignores the other groups")
  func groups() {
    var map = AddressMap()
    var first = [AddressMap.Range(low: 5, high: 9, rank: 7)]
    var second = [AddressMap.Range(low: 1, high: 6, rank: 3)]
    var empty: [AddressMap.Range] = []
    let groups = (map.add(&first), map.add(&second), map.add(&empty))
    #expect((map.rank(at: 5, in: groups.0), map.rank(at: 5, in: groups.1), map.rank(at: 5, in: groups.2)) == (7, 3, -1))
    #expect((map.rank(at: 8, in: groups.0), map.rank(at: 8, in: groups.1)) == (7, -1))
  }

  @Test("Addresses are sorted as by the standard library, and equal ones keep their order")
  func order() {
    var numbers = Numbers(state: 2)
    for bits in [UInt64(4), 20, 47, 64] {
      let addresses = (0..<3000).map { _ in UInt64.random(in: .min ... .max, using: &numbers) >> (64 - bits) }
      let expected = addresses.indices.sorted { (addresses[$0], $0) < (addresses[$1], $1) }
      #expect(AddressOrder.indices(of: addresses).map(Int.init) == expected)
    }
    #expect(AddressOrder.indices(of: []) == [])
  }
}
