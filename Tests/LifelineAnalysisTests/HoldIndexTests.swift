import LifelineLifetimes
import LifelineTrace
import Testing

@testable import LifelineAnalysis

@Suite struct HoldIndexTests {
  private func row(_ sequence: UInt64) -> HistoryRow {
    var event = Event()
    event.sequence = sequence
    return HistoryRow(event: event, backtrace: .empty)
  }

  private func hold(_ from: UInt64, _ to: UInt64?) -> Hold {
    Hold(
      holder: .reference, confidence: .likely, balance: to == nil ? .open : .likely, retain: row(from),
      release: to.map(row), activityStart: nil)
  }

  @Test("At each event, the index finds the holds that a look at all of them finds", arguments: 0..<40)
  func all(_ count: Int) {
    var generator = SystemRandomNumberGenerator()
    let holds = (0..<count).map { _ in
      let from = UInt64.random(in: 1...50, using: &generator)
      return hold(from, Bool.random(using: &generator) ? nil : from + UInt64.random(in: 0...20, using: &generator))
    }
    let index = HoldIndex(holds)
    for sequence in 0...75 as ClosedRange<UInt64> {
      #expect(index.holding(at: sequence) == holds.indices.filter { holds[$0].holds(at: sequence) })
    }
  }
}
