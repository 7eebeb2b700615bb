import Testing

@testable import LifelineHeap

/// Paths between nodes: what keeps an object, and what is in between.
struct WaysTests {
  @Test("The shortest path through the allowed nodes is found")
  func shortest() {
    var heap = SyntheticHeap()
    heap.objects("axz")
    heap.memory("bcd")
    // a → b → c → z and a → d → z; x is on a third path.
    heap.edges("ab bc cz ad dz ax xz")
    let graph = heap.graph
    let between = Set("bcd".map { graph.number($0) })
    let ways = graph.ways(to: graph.number("z")) { between.contains($0) }
    #expect(graph.names(ways.keys.sorted()) == "bcdz")
    #expect(ways[graph.number("d")] == graph.number("z"))
    #expect(ways[graph.number("b")] == graph.number("c"))
    #expect(ways[graph.number("z")] == graph.number("z"))
  }

  @Test("A ring of a hundred thousand blocks is walked only once")
  func ring() {
    var builder = HeapGraphBuilder()
    let count = 100_000
    for index in 0..<count {
      builder.addNode(UInt64(0x1000 + index * 32), size: 32)
      builder.addEdge(
        from: UInt64(0x1000 + index * 32), offset: 16, to: UInt64(0x1000 + (index + 1) % count * 32))
    }
    let graph = builder.graph()
    #expect(graph.reachable(from: 0).count == count)
    #expect(graph.ways(to: 0) { _ in true }.count == count)
  }

  @Test("An unreferenced node has no path but itself, and a node without references reaches nothing")
  func alone() {
    var heap = SyntheticHeap()
    heap.objects("ab")
    let graph = heap.graph
    #expect(graph.reachable(from: graph.number("a")).isEmpty)
    #expect(graph.ways(to: graph.number("a")) { _ in true } == [graph.number("a"): graph.number("a")])
  }
}
