import Lifeline
import LifelineTesting
import Testing

/// Of these, all but the first and the allowed cache must fail, with the texts that LifelineTestingTests expects.
@Suite struct TraitTests {
  @Test("clean", .lifetimes(.noLeaks, .noUseAfterFree))
  func clean() async {
    let node = CleanNode()
    node.next = CleanNode()
    node.next?.previous = node
    node.next?.owner = node
    node.list = [CleanNode(), CleanNode()]
    await Task.yield()
    node.onChange = { [weak node] in node?.next = nil }
    node.onChange?()
    #expect(node.next == nil)
  }

  @Test("leaks a cycle", .lifetimes(.noLeaks))
  func cycle() {
    let first = CycleNode(), second = CycleNode()
    first.next = second
    second.next = first
    second.list.append(CycleNode())
  }

  @Test("leaks through a closure", .lifetimes(.noLeaks))
  func closure() {
    let node = ClosureNode()
    var count = 0
    node.onChange = {
      count += 1
      node.changes = count
    }
  }

  @Test("leaks after a suspension", .lifetimes(.noLeaks))
  func asynchronous() async {
    for _ in 0..<20 { await Task.yield() }
    let node = AsyncNode()
    await Task.yield()
    node.next = node
  }

  @Test("leaks in a task", .lifetimes(.noLeaks))
  func task() async {
    await Task {
      let node = TaskNode()
      node.list = [node]
    }.value
  }

  @Test("leaks into a cache", .lifetimes(.noLeaks))
  func cache() { Cache.shared.entries.append(CacheEntry()) }

  @Test("fills a cache that is allowed", .lifetimes(.noLeaks, allowing: [.held(by: "SessionCache", because: "it lives as long as the process")]))
  func allowedCache() { SessionCache.shared.entries.append(SessionEntry()) }

  @Test("leaks nothing, but uses a dead object", .lifetimes(.noLeaks, .noUseAfterFree))
  func useAfterFree() {
    var reference = TrackedUnownedUnsafe<LostNode?>(nil, onLostMessage: .ignore)
    do {
      let node = LostNode()
      reference.wrappedValue = node
    }
    #expect(reference.send { $0?.list.count } == nil)
  }

  @Test("outlives its owner", .lifetimes())
  func order() {
    let long = LongNode()
    do {
      let short = ShortNode()
      short.next = long
      expectLifetime(of: long, within: short)
    }
    withExtendedLifetime(long) {}
  }

  @Test("dies before its owner", .lifetimes())
  func orderly() {
    let owner = CleanNode()
    do {
      let owned = CleanNode()
      owner.next = owned
      expectLifetime(of: owned, within: owner)
      owner.next = nil
    }
    withExtendedLifetime(owner) {}
  }

  @Test("stays in a global variable", .lifetimes())
  func global() {
    let node = StayingNode()
    keptByMistake = node
    expectDeallocated(node)
  }

  @Test("allows what was never there", .lifetimes(.noLeaks, allowing: [.leak(of: "NeverMade", because: "none")]))
  func idleAllowance() {
    _ = CleanNode()
  }

  @Test(
    "allows what one of its runs leaves", .lifetimes(.noLeaks, allowing: [.leak(of: "RunNode", because: "it shows")]),
    arguments: [true, false])
  func allowanceOfRuns(_ leaks: Bool) {
    let node = RunNode()
    if leaks { node.next = node }
  }
}
