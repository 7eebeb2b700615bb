import LifelineTraceBuilder
import Testing

@testable import LifelineGate

@Suite struct UseCountsTests {
  @Test("Use counts match a dictionary's for few and for many functions", arguments: [1, 15, 16, 17, 18, 400])
  func counts(functions: Int) {
    var generator = SeededGenerator(seed: UInt64(functions))
    var counts = UseCounts()
    for _ in 0..<2 {
      var retains: [Int: Int] = [:], releases: [Int: Int] = [:]
      for _ in 0..<20 * functions {
        let function = Int.random(in: 1...functions, using: &generator)
        let change = Int.random(in: 1...3, using: &generator) * (Bool.random(using: &generator) ? 1 : -1)
        counts.add(change, by: function)
        if change > 0 { retains[function, default: 0] += change } else { releases[function, default: 0] -= change }
      }
      #expect(Set(counts.uses.map(\.function)).count == counts.uses.count && !counts.uses.isEmpty)
      for use in counts.uses {
        #expect(use.retains == retains[use.function] ?? 0 && use.releases == releases[use.function] ?? 0)
      }
      #expect(counts.uses.count == Set(retains.keys).union(releases.keys).count)
      // The next object at the same address.
      counts.removeAll()
    }
  }
}
