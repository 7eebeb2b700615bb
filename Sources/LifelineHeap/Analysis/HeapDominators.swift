/// What keeps how much: the tree in which each node's parent is the one that alone keeps it alive.
///
/// All roots together are the top of the tree. A node's retained size is what would be freed if it were freed. Semi-NCA
/// (Georgiadis), O(edges × log nodes).
public struct HeapDominators: Sendable {
  /// The node's parent in the tree: −1 if several roots or paths keep it, or if it is unreachable.
  private let parents: [Int32]
  private let sizes: [UInt64]
  private let counts: [UInt32]

  /// The only node without which this one would be leaked; nil if there is none.
  public func parent(of node: Int) -> Int? { parents[node] < 0 ? nil : Int(parents[node]) }
  /// Bytes that only the node keeps, including itself; 0 for unreachable nodes.
  public func retainedSize(of node: Int) -> Int { Int(sizes[node]) }
  /// Nodes that only the node keeps, including itself.
  public func retainedCount(of node: Int) -> Int { Int(counts[node]) }

  public init(_ graph: HeapGraph) {
    let order = Preorder(graph)
    let semi = Self.semidominators(graph, order)
    // Nearest common ancestor of the parent and the semidominator, in preorder.
    var dominators = order.parents
    if order.count > 1 {
      for number in 1..<order.count {
        var dominator = dominators[number]
        while dominator > semi[number] { dominator = dominators[Int(dominator)] }
        dominators[number] = dominator
      }
    }
    var sizes = [UInt64](repeating: 0, count: graph.count)
    var counts = [UInt32](repeating: 0, count: graph.count)
    var parents = [Int32](repeating: -1, count: graph.count)
    for number in stride(from: order.count - 1, to: 0, by: -1) {
      let node = Int(order.nodes[number])
      sizes[node] += UInt64(graph.size(of: node))
      counts[node] += 1
      guard dominators[number] > 0 else { continue }
      let parent = Int(order.nodes[Int(dominators[number])])
      parents[node] = Int32(parent)
      sizes[parent] += sizes[node]
      counts[parent] += counts[node]
    }
    self.parents = parents
    self.sizes = sizes
    self.counts = counts
  }

  private static func semidominators(_ graph: HeapGraph, _ order: Preorder) -> [UInt32] {
    let predecessors = Predecessors(graph, order)
    var ancestors = order.parents
    var labels = [UInt32](0..<UInt32(max(order.count, 1)))
    var semi = labels
    var path: [UInt32] = []
    for number in stride(from: order.count - 1, to: 0, by: -1) {
      var best = order.parents[number]
      for index in predecessors.range(of: number) {
        let predecessor = predecessors.sources[index]
        if predecessor <= UInt32(number) {
          best = min(best, predecessor)
        } else {
          best = min(best, semi[Int(evaluate(predecessor, above: UInt32(number), &ancestors, &labels, semi, &path))])
        }
      }
      semi[number] = best
      labels[number] = UInt32(number)
    }
    return semi
  }

  /// The node with the smallest semidominator on the path up to, but excluding, `limit`'s processed forest root;
  /// compresses the path.
  private static func evaluate(
    _ start: UInt32, above limit: UInt32, _ ancestors: inout [UInt32], _ labels: inout [UInt32], _ semi: [UInt32],
    _ path: inout [UInt32]
  ) -> UInt32 {
    path.removeAll(keepingCapacity: true)
    var here = start
    while ancestors[Int(here)] > limit {
      path.append(here)
      here = ancestors[Int(here)]
    }
    // `here` is the highest node whose ancestor is not beyond the limit.
    while let node = path.popLast() {
      let above = ancestors[Int(node)]
      if semi[Int(labels[Int(above)])] < semi[Int(labels[Int(node)])] { labels[Int(node)] = labels[Int(above)] }
      ancestors[Int(node)] = ancestors[Int(above)]
    }
    return labels[Int(start)]
  }
}
