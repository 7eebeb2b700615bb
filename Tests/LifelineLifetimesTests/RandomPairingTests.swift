@testable import LifelineLifetimes
import LifelineTrace
import LifelineTraceBuilder
import Testing

/// Random programs whose holders are known: functions that keep an object while they run, and properties that setters
/// fill and clear.
@Suite struct RandomPairingTests {
  private struct Step {
    let change: Int
    let place: CallIdentity
    let thread: UInt32
    /// Who holds from here on, or held until here.
    let holder: Int
  }

  /// One thread's call stack and what its calls hold.
  private struct Program {
    var random: SeededGenerator
    var steps: [Step] = []
    private var nextHolder = 1
    private var properties: [Int] = []

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A function call that keeps the object while it runs, calls others, and fills or clears a property.
    mutating func call(_ function: UInt64, caller: UInt64, enclosing: [UInt64], thread: UInt32, depth: Int) {
      let place = CallIdentity(function: function, caller: caller, enclosing: enclosing, image: 1)
      let holder = nextHolder
      nextHolder += 1
      let keeps = Bool.random(using: &random)
      if keeps { steps.append(Step(change: 1, place: place, thread: thread, holder: holder)) }
      for line in 0..<UInt64.random(in: 0...3, using: &random) where depth < 5 {
        let inner = (caller ^ function) &* 31 &+ line
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let setter = CallIdentity(function: 900, caller: inner, enclosing: [place.key] + enclosing, image: 1)
          steps.append(Step(change: 1, place: setter, thread: thread, holder: nextHolder))
          properties.append(nextHolder)
          nextHolder += 1
        case 1 where !properties.isEmpty:
          // The setter that clears a property runs in another call than the one that filled it.
          let index = Int.random(in: 0..<properties.count, using: &random)
          let setter = CallIdentity(function: 901, caller: inner, enclosing: [place.key] + enclosing, image: 1)
          steps.append(Step(change: -1, place: setter, thread: thread, holder: properties.remove(at: index)))
        default:
          call(
            UInt64.random(in: 1...6, using: &random), caller: inner, enclosing: [place.key] + enclosing, thread: thread,
            depth: depth + 1)
        }
      }
      if keeps { steps.append(Step(change: -1, place: place, thread: thread, holder: holder)) }
    }
  }

  @Test("A sure pair consists of a retain and its own release", arguments: 0..<300)
  func sure(_ seed: Int) {
    var program = Program(seed: UInt64(seed))
    for root in 0..<8 { program.call(7, caller: UInt64(root), enclosing: [], thread: UInt32(1 + root % 2), depth: 0) }
    let rows = program.steps.enumerated().map { index, step -> HistoryRow in
      var event = Event()
      event.kind = step.change > 0 ? .retain : .release
      event.sequence = UInt64(index)
      event.thread = step.thread
      return HistoryRow(event: event, backtrace: .empty)
    }
    let steps = program.steps
    let pairing = Pairing(ObjectHistory(id: ObjectID(className: "App.Node", number: 1), rows: rows)) {
      steps[Int($0.event.sequence)].place
    }
    for pair in pairing.pairs {
      #expect(pair.retain < pair.release)
      if pair.confidence == .sure { #expect(steps[pair.retain].holder == steps[pair.release].holder) }
    }
    #expect(
      pairing.pairs.count + pairing.unpairedReleases.count == steps.count { $0.change < 0 },
      "every release is accounted for")
    #expect(pairing.pairs.count + pairing.unpairedRetains.count == steps.count { $0.change > 0 })
    let calls = Set(steps.map(\.holder)).count
    #expect(
      calls < 4 || pairing.pairs.contains { $0.confidence == .sure } || steps.count < 8, "some pairs are sure")
  }
}
