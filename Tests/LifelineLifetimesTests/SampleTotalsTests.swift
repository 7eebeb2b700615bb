import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct SampleTotalsTests {
  @Test("A total is N times the sample's, and each object is a draw of its own, also where one address is used again")
  func totals() throws {
    var builder = TraceBuilder()
    builder.addClass(1, "App.Node")
    builder.addEvents {
      for round in 0..<3 {
        $0.add(3, 0x5000, time: UInt64(1010 + round * 20), arguments: [1, 0])
        $0.add(4, 0x5000, time: UInt64(1020 + round * 20))
      }
      $0.add(3, 0x6000, time: 1100, arguments: [1, 0])
    }
    builder.addClass(2, "App.Leaf")
    builder.addEvents {
      $0.add(3, 0x7000, time: 1200, arguments: [2, 0])
      $0.add(4, 0x7000, time: 1210)
    }
    let (node, leaf) = try builder.withFile { path in
      let classes = try LifetimeSummary(Trace(path: path)).tracker.classes
      let totals = SampleTotals(classes, denominator: 4).classes
      return try (#require(totals["App.Node"]), #require(totals["App.Leaf"]))
    }
    // 4 × 3 × 4 = 48, 4 × 3 × 1 = 12
    #expect(node.allocated.value == 16 && node.allocated.error == 7)
    #expect(node.liveAtExit.value == 4 && node.liveAtExit.error == 3)
    // None that is live was chosen, but some may be live.
    #expect(leaf.liveAtExit.value == 0 && leaf.liveAtExit.error == 3)
  }
}
