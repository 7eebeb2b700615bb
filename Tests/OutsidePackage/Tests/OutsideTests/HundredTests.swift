import LifelineTesting
import Testing

/// A hundred passing tests with and without a trait; the difference is the cost of the trait.
@Suite struct HundredTests {
  @Test("one of a hundred, watched", .lifetimes(.noLeaks, .noUseAfterFree), arguments: 0..<100)
  func watched(_ number: Int) async { await work(number) }

  @Test("one of a hundred, plain", arguments: 0..<100)
  func plain(_ number: Int) async { await work(number) }

  @Test("one of a hundred, watched one after the other", .serialized, .lifetimes(.noLeaks, .noUseAfterFree), arguments: 0..<100)
  func inTurn(_ number: Int) async { await work(number) }

  private func work(_ number: Int) async {
    let node = HundredNode()
    for _ in 0..<10 { node.list.append(HundredNode()) }
    await Task.yield()
    #expect(node.list.count == 10)
  }
}

final class HundredNode: Node {}
