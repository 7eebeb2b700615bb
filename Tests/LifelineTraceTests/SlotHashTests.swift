import Testing

@testable import LifelineTrace

@Suite("Hash table slots")
struct SlotHashTests {
  /// Of keys placed at random into twice as many slots, 79 % find their slot free: 2 (1 − e^(−1/2)).
  @Test(
    "Keys that differ in a few bits anywhere hash to different slots",
    arguments: [0, 4, 7, 12, 20, 28, 32, 44] as [UInt64])
  func spread(shift: UInt64) {
    let places = Set((1...16384 as ClosedRange<UInt64>).map { SlotHash.of(0x7F00_0000_0010 &+ $0 << shift) & 32767 })
    #expect(places.count > 16384 * 6 / 10)
  }

  @Test("Backtraces with the same site and different callers are found again and stay distinct")
  func backtraces() {
    var table = BacktraceTable()
    let callers = (1...2000 as ClosedRange<UInt64>).map { table.child(of: 0, word: $0 << 12) }
    let nodes = callers.map { table.child(of: $0, word: 0x40_1000) }
    #expect(Set(nodes).count == 2000)
    #expect(callers.map { table.child(of: $0, word: 0x40_1000) } == nodes)
  }
}
