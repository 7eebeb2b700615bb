/// How many references to each of some nodes other nodes have.
public struct KnownReferences {
  private let nodes: NodeSet
  private var counts: [UInt32]

  /// O(edges), and nothing if there are no nodes.
  public init(_ graph: HeapGraph, to nodes: NodeSet) {
    self.nodes = nodes
    counts = Array(repeating: 0, count: nodes.count)
    guard nodes.count > 0 else { return }
    for target in graph.edgeTargets {
      if let index = nodes.index(of: Int(target)) { counts[index] += 1 }
    }
  }

  /// References to what the core of each group consists of.
  public init(_ graph: HeapGraph, to groups: [LostGroup]) {
    self.init(graph, to: NodeSet(below: graph.count, groups.flatMap { $0.core.map { UInt32($0) } }.sorted()))
  }

  /// Zero for nodes that were not asked for.
  public subscript(node: Int) -> UInt32 { nodes.index(of: node).map { counts[$0] } ?? 0 }
}
