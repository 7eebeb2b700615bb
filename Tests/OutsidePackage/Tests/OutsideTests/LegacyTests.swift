import LifelineTesting
import XCTest

/// Of these, testLeak and testDeallocatedAtTheEnd must fail.
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
}
