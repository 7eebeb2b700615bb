import Lifeline
import LifelineTesting
import XCTest

/// Of these, testLeak, testDeallocatedAtTheEnd and all that begin with testWrong must fail.
final class LegacyTests: XCTestCase {
  func testCleanCode() {
    assertNoLeaks { _ = LegacyNode() }
    let node = LegacyNode()
    assertDeallocated(node)
    let holder = Holder()
    holder.child = node
    assertHolders(of: node, ["Holder.child"])
    withExtendedLifetime(holder) {}
  }

  func testLeak() {
    assertNoLeaks {
      let node = LegacyNode()
      node.next = node
    }
  }

  func testDeallocatedAtTheEnd() {
    let node = LegacyNode()
    node.next = node
    assertDeallocated(node)
  }

  func testCleanWaiting() async {
    await assertNoLeaks { await Task { _ = LegacyWaiting() }.value }
    await assertNoUseAfterFree { await Task.yield() }
    let outer = LegacyOuter()
    outer.next = LegacyInner()
    assertLifetime(of: outer.next!, within: outer)
    outer.next = nil
  }

  func testWrongWaiting() async {
    await assertNoLeaks {
      await Task {
        let node = LegacyWaiting()
        node.next = node
      }.value
    }
  }

  func testWrongUse() async {
    await assertNoUseAfterFree {
      await Task.yield()
      var reference = TrackedUnownedUnsafe<LegacyLost?>(nil, onLostMessage: .ignore)
      do { reference.wrappedValue = LegacyLost() }
      XCTAssertTrue(reference.send { $0?.list.count } == nil)
    }
  }

  func testWrongOrder() {
    let inner = LegacyInner()
    do { assertLifetime(of: inner, within: LegacyOuter()) }
    withExtendedLifetime(inner) {}
  }
}

final class LegacyWaiting: Node {}
final class LegacyLost: Node {}
final class LegacyInner: Node {}
final class LegacyOuter: Node {}
