import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

@Suite struct SampleTotalsTests {
  @Test("A total is N times the sample's, and all objects at one address count as one draw")
  func totals() throws {
    var builder = TraceBuilder()
    builder.sample = 4
    builder.addClass(1, "App.Node")
    builder.addEvents {
      for round in 0..<3 {
        $0.add(3, 0x5000, time: UInt64(1010 + round * 20), arguments: [1, 0])
        $0.add(4, 0x5000, time: UInt64(1020 + round * 20))
      }
      $0.add(3, 0x6000, time: 1100, arguments: [1, 0])
    }
    let node = try builder.withFile { path in
      let trace = try Trace(path: path)
      #expect(trace.recording.sample == 4)
      return try #require(try SampleTotals(trace, LifetimeSummary(trace)).classes["App.Node"])
    }
    // 4 × 3 × (3² + 1²) = 120, 4 × 3 × 1² = 12
    #expect(node.allocated.value == 16 && node.allocated.error == 11)
    #expect(node.liveAtExit.value == 4 && node.liveAtExit.error == 3)
  }
}
