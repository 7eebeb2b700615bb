import Lifeline
import LifelineTesting
import Testing

/// Failures are expected here, and their texts in full.
@Suite(.serialized) struct ExpectationTests {
  /// Runs a body that must record exactly one issue with this text.
  private func expecting(_ text: String, _ body: () throws -> Void) throws {
    try withKnownIssue { try body() } matching: { issue in
      if issue.comments.map(\.rawValue) != [text] { print("got:\n\(issue.comments.map(\.rawValue).joined(separator: "\n"))\nexpected:\n\(text)") }
      return issue.comments.map(\.rawValue) == [text]
    }
  }

  @Test func deallocatedAtOnce() throws {
    expectDeallocated { MadeNode() }
    try expecting("""
      MadeNode#2 was not deallocated.
        held by MadeNode#2.next
        retain cycle: MadeNode#2.next → MadeNode#2
        kept since ExpectationTests.swift:25 in closure #1 in closure #2 in ExpectationTests.deallocatedAtOnce()
      """) {
      expectDeallocated {
        let node = MadeNode()
        node.next = node
        return node
      }
    }
  }

  @Test(.lifetimes()) func deallocatedAtTheEnd() {
    let node = LateNode()
    expectDeallocated(node)
  }

  @Test func needsTheTrait() throws {
    try expecting("expectDeallocated needs the trait .lifetimes on its test: without it the end of the test is unknown.") {
      expectDeallocated(EarlyNode())
    }
  }

  @Test func noLeaks() throws {
    #expect(expectNoLeaks { ScopeNode().list.count } == 0)
    try expecting("""
      ScopeNode#2 was allocated in expectNoLeaks and is still alive.
        held by ScopeNode#3.next
        retain cycle: ScopeNode#2.next → ScopeNode#3.next → ScopeNode#2
        kept since ExpectationTests.swift:54 in closure #1 in closure #2 in ExpectationTests.noLeaks()
        it keeps alive: ScopeNode#3
      """) {
      expectNoLeaks {
        let first = ScopeNode(), second = ScopeNode()
        first.next = second
        second.next = first
      }
    }
    expectNoLeaks(allowing: [.leak(of: "ScopeNode", because: "this test shows how to allow one")]) {
      let node = ScopeNode()
      node.next = node
    }
    try expecting(
      "The allowance for ScopeNodes (a slip of the pen) covers nothing that is alive. Remove it or correct the name."
    ) {
      expectNoLeaks(allowing: [.leak(of: "ScopeNodes", because: "a slip of the pen")]) {}
    }
  }

  @Test func asynchronousNoLeaks() async {
    await expectNoLeaks {
      await Task.yield()
      _ = AsyncScopeNode()
    }
    await withKnownIssue {
      await expectNoLeaks {
        async let leaked: Void = { AsyncScopeNode().leak() }()
        await leaked
      }
    } matching: { issue in
      issue.comments.first?.rawValue.hasPrefix("AsyncScopeNode#2 was allocated in expectNoLeaks and is still alive.\n  held by AsyncScopeNode#2.next") == true
    }
  }

  @Test func whoHolds() throws {
    expectHolders(of: Holder(), [])
    let node = HeldNode(), holder = Holder(), other = Holder()
    holder.child = node
    holder.unheld = node
    other.byName["a"] = node
    expectHolders(of: node, ["Holder.child", "Holder.byName"])
    #expect(try holders(of: node).count == 2)
    try expecting("HeldNode is held by Holder#2.child, Holder#3.byName, not by nobody.") { expectHolders(of: node, []) }
    other.byName = [:]
    try expecting("HeldNode is held by Holder#2.child, not by Holder.byName.") { expectHolders(of: node, ["Holder.byName"]) }
    keptByGlobal = KeptNode()
    expectHolders(of: keptByGlobal!, ["the global keptByGlobal"])
    keptByGlobal = nil
    withExtendedLifetime((holder, other)) {}
  }

  @Test(.lifetimes()) func order() {
    let outer = OuterNode()
    do {
      let inner = InnerNode()
      expectLifetime(of: inner, within: outer)
    }
    withExtendedLifetime(outer) {}
  }

  @Test func olderThanTheRecording() throws {
    try expecting("The holders could not be observed. ManagedBuffer<Int, Int> is older than the recording, or its class is not recorded.") {
      expectHolders(of: ManagedBuffer<Int, Int>.create(minimumCapacity: 1) { _ in 0 }, [])
    }
  }
}

extension Node { func leak() { next = self } }
