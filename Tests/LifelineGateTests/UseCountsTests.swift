import LifelineTrace
import LifelineTraceBuilder
import Testing

@testable import LifelineGate

@Suite struct UseCountsTests {
  @Test("Few places and many are counted as a dictionary would count them", arguments: [1, 15, 16, 17, 18, 400])
  func counts(places: Int) {
    var generator = SeededGenerator(seed: UInt64(places))
    var counts = UseCounts()
    for _ in 0..<2 {
      var retains: [BacktraceID: Int] = [:], releases: [BacktraceID: Int] = [:]
      for _ in 0..<20 * places {
        let place = BacktraceID(rawValue: UInt32.random(in: 1...UInt32(places), using: &generator))
        let change = Int.random(in: 1...3, using: &generator) * (Bool.random(using: &generator) ? 1 : -1)
        counts.add(change, at: place)
        if change > 0 { retains[place, default: 0] += change } else { releases[place, default: 0] -= change }
      }
      #expect(Set(counts.uses.map(\.place)).count == counts.uses.count && !counts.uses.isEmpty)
      for use in counts.uses {
        #expect(use.retains == retains[use.place] ?? 0 && use.releases == releases[use.place] ?? 0)
      }
      #expect(counts.uses.count == Set(retains.keys).union(releases.keys).count)
      // The next object takes its place.
      counts.removeAll()
    }
  }
}
