import LifelineLifetimes
import LifelineTrace
import Testing

@Suite struct OrderProofTests {
  /// Retains (+) and releases (-) of one object, with threads named by digits: "1+ 2+ 2- 1-".
  private func proof(_ text: String) -> OrderProof {
    var count: Int64 = 1
    return OrderProof(
      text.split(separator: " ").enumerated().map { index, word in
        var event = Event()
        event.sequence = UInt64(index + 1)
        event.thread = UInt32(word.prefix(1))!
        event.kind = word.hasSuffix("+") ? .retain : .release
        count += word.hasSuffix("+") ? 1 : -1
        event.count = count
        return HistoryRow(event: event, backtrace: .empty)
      })
  }

  private func doubts(_ text: String) -> [[ClosedRange<Int>]] { proof(text).doubts.map { [$0.earlier, $0.later] } }

  @Test("Nested retains of two threads are in the only order that the counts allow")
  func proven() {
    #expect(doubts("1+ 2+ 1- 2-") == [])
    #expect(doubts("1+ 1+ 2+ 2+ 1- 2- 1- 2-") == [])
    #expect(proof("1+ 2+ 1- 2-").threads == 2)
  }

  @Test("Two pairs at the same count may have happened in the other order")
  func pairs() {
    #expect(doubts("1+ 1- 2+ 2-") == [[0...1, 2...3]])
    #expect(doubts("1+ 1- 2+ 2- 1+ 1-") == [[0...1, 2...3], [2...3, 4...5]])
  }

  @Test("A pair may have preceded the events of two other threads that left the count unchanged")
  func several() { #expect(doubts("1+ 2+ 1- 2- 3+ 3-") == [[0...3, 4...5]]) }

  @Test("Equal changes by two threads that do nothing else in between may be swapped")
  func equal() { #expect(doubts("1+ 2- 3+ 4-").contains([0...0, 2...2])) }

  @Test("The order of one thread's events is certain")
  func one() {
    #expect(proof("1+ 1- 1+ 1-").doubts == [])
    #expect(proof("1+ 1-").threads == 1)
    #expect(OrderProof([]).threads == 0)
  }
}
