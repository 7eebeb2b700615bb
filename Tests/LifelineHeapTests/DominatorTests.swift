import LifelineHeap
import Testing

@Suite("Dominators", .timeLimit(.minutes(60)))
struct DominatorTests {
  @Test("A node's retained size is what only that node keeps")
  func diamond() {
    var heap = SyntheticHeap()
    heap.objects("abcde")
    heap.edges("ab bd de")
    heap.edges("ac", offset: 24)
    heap.edges("cd")
    heap.root(.global, "a")
    let graph = heap.graph
    let tree = HeapDominators(graph)
    #expect(tree.parent(of: graph.number("d")).map { graph.names([$0]) } == "a")
    #expect(tree.parent(of: graph.number("e")).map { graph.names([$0]) } == "d")
    #expect(tree.retainedSize(of: graph.number("a")) == 5 * 48)
    #expect(tree.retainedSize(of: graph.number("b")) == 48)
    #expect(tree.retainedCount(of: graph.number("d")) == 2)
  }

  @Test("A node that two roots keep has no dominator")
  func twoRoots() {
    var heap = SyntheticHeap()
    heap.objects("abc")
    heap.edges("ac bc")
    heap.root(.global, "a")
    heap.root(.stack, "b")
    let graph = heap.graph
    #expect(HeapDominators(graph).parent(of: graph.number("c")) == nil)
  }

  /// By definition, a node dominates the nodes that cannot be reached without it.
  private func retained(by node: Int, in graph: HeapGraph) -> Set<Int> {
    var seen: Set<Int> = []
    var work = graph.roots.map(\.target).filter { $0 != node }
    while let here = work.popLast() {
      guard here != node, seen.insert(here).inserted else { continue }
      work += graph.edges(from: here).map(graph.target)
    }
    let all = HeapReachability(graph)
    return Set((0..<graph.count).filter { all.isReachable($0) && !seen.contains($0) })
  }

  @Test("Dominators match their definition on a hundred random graphs", arguments: 1...100)
  func random(seed: UInt64) {
    var state = seed &* 0x9E37_79B9_7F4A_7C15
    func number(below limit: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % limit
    }
    var builder = HeapGraphBuilder()
    let count: UInt64 = 5 + number(below: 40)
    for node in 1...count { builder.addNode(node * 0x100, size: 16) }
    for edge in 0..<count * (1 + number(below: 3)) {
      builder.addEdge(
        from: 0x100 * (1 + number(below: count)), offset: Int(edge) * 8, to: 0x100 * (1 + number(below: count)))
    }
    for _ in 0...number(below: 3) { builder.addRoot(.global, to: 0x100 * (1 + number(below: count))) }
    let graph = builder.graph()
    let tree = HeapDominators(graph)
    let reachability = HeapReachability(graph)
    for node in 0..<graph.count where reachability.isReachable(node) {
      #expect(tree.retainedCount(of: node) == retained(by: node, in: graph).count)
    }
  }
}
