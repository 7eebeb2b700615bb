import Lifeline
import Testing

/// An iterator returns optional wrappers, so a wrapper needs a nil distinct from its own.
@Suite struct IterationTests {
  private final class Node {}

  private func count<Element>(_ elements: [Element]) -> Int {
    var count = 0
    for _ in elements {
      count += 1
      if count > elements.count { break }
    }
    return count
  }

  @Test(
    "A loop over a collection of tracked references sees each one once, including nil",
    .timeLimit(.minutes(60)))
  func loops() {
    let node = Node()
    #expect(count([TrackedStrong<Node?>(node), TrackedStrong<Node?>(nil)]) == 2)
    #expect(count([TrackedWeak<Node>(node), TrackedWeak<Node>(nil)]) == 2)
    #expect(count([TrackedUnowned(node), TrackedUnowned(node)]) == 2)
    #expect(count([TrackedUnowned<Node?>(node), TrackedUnowned<Node?>(nil)]) == 2)
    #expect(count([TrackedUnownedUnsafe<Node?>(node), TrackedUnownedUnsafe<Node?>(nil)]) == 2)
    var seen = 0
    for reference in [TrackedUnowned<Node?>(node), TrackedUnowned<Node?>(nil), TrackedUnowned<Node?>(node)] {
      seen += reference.wrappedValue == nil ? 1 : 10
      if seen > 30 { break }
    }
    #expect(seen == 21)
    withExtendedLifetime(node) {}
  }
}
