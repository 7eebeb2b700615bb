import Testing

@testable import LifelineHeap

struct ReachableNodesTests {
  /// An array of 30 nodes, each leading to a chain of three, and two nodes that keep each other.
  private var graph: HeapGraph {
    var heap = HeapGraphBuilder()
    func address(_ number: Int) -> UInt64 { 0x1000 + UInt64(number) * 0x400 }
    for number in 0..<123 { heap.addNode(address(number), size: 0x100) }
    for child in 1...30 {
      heap.addEdge(from: address(0), offset: child * 8, to: address(child))
      // The last node of a chain is before and after its neighbors, so that the search goes both ways.
      heap.addEdge(from: address(child), offset: 0, to: address(121 - child))
      heap.addEdge(from: address(121 - child), offset: 0, to: address(30 + child))
    }
    heap.addEdge(from: address(121), offset: 0, to: address(122))
    heap.addEdge(from: address(122), offset: 0, to: address(121))
    heap.addEdge(from: address(121), offset: 8, to: address(60))
    heap.addRoot(.global, to: address(0))
    return heap.graph()
  }

  @Test("A limit on pending nodes does not change what is reachable", arguments: [0, 1, 2, 7, 1000])
  func mostOpen(_ most: Int) {
    let graph = graph
    let reachable = ReachableNodes(graph, mostOpen: most), ways = HeapReachability(graph)
    #expect(ways.reachableCount == 91)
    #expect((0..<graph.count).filter(reachable.contains) == (0..<graph.count).filter(ways.isReachable))
  }

  @Test("An inserted node is reachable, but its references are not followed")
  func inserted() {
    var reachable = ReachableNodes(graph)
    #expect(!reachable.contains(121))
    reachable.insert(121)
    #expect(reachable.contains(121) && !reachable.contains(122))
  }
}
