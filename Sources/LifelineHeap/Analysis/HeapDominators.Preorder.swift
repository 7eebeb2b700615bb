extension HeapDominators {
  /// Reachable nodes in depth-first order; number 0 is the top, which is not a node.
  struct Preorder {
    /// The node of each number; that of 0 is unused.
    private(set) var nodes: [UInt32] = [0]
    /// The number from which each was reached.
    private(set) var parents: [UInt32] = [0]
    /// The number of each node, 0 if it is unreachable.
    private(set) var numbers: [UInt32]

    var count: Int { nodes.count }

    init(_ graph: HeapGraph) {
      numbers = Array(repeating: 0, count: graph.count)
      var work: [(number: UInt32, edge: UInt32)] = []
      for root in graph.roots where numbers[root.target] == 0 {
        work.append((meet(root.target, from: 0), graph.edgeStarts[root.target]))
        while let top = work.last {
          let node = Int(nodes[Int(top.number)])
          guard top.edge < graph.edgeStarts[node + 1] else {
            work.removeLast()
            continue
          }
          work[work.count - 1].edge += 1
          let target = Int(graph.edgeTargets[Int(top.edge)])
          if numbers[target] == 0 { work.append((meet(target, from: top.number), graph.edgeStarts[target])) }
        }
      }
    }

    private mutating func meet(_ node: Int, from parent: UInt32) -> UInt32 {
      let number = UInt32(nodes.count)
      nodes.append(UInt32(node))
      parents.append(parent)
      numbers[node] = number
      return number
    }
  }

  /// The numbers with edges to each number; the top for targets of roots.
  struct Predecessors {
    private let starts: [UInt32]
    let sources: [UInt32]

    func range(of number: Int) -> Range<Int> { Int(starts[number])..<Int(starts[number + 1]) }

    init(_ graph: HeapGraph, _ order: Preorder) {
      var starts = [UInt32](repeating: 0, count: order.count + 2)
      for number in 1..<max(order.count, 1) {
        for edge in graph.edges(from: Int(order.nodes[number])) {
          starts[Int(order.numbers[graph.target(of: edge)]) + 2] += 1
        }
      }
      for root in graph.roots { starts[Int(order.numbers[root.target]) + 2] += 1 }
      for number in 1..<starts.count { starts[number] += starts[number - 1] }
      var sources = [UInt32](repeating: 0, count: Int(starts.last ?? 0))
      func add(_ source: UInt32, to target: UInt32) {
        sources[Int(starts[Int(target) + 1])] = source
        starts[Int(target) + 1] += 1
      }
      for root in graph.roots { add(0, to: order.numbers[root.target]) }
      for number in 1..<max(order.count, 1) {
        for edge in graph.edges(from: Int(order.nodes[number])) {
          add(UInt32(number), to: order.numbers[graph.target(of: edge)])
        }
      }
      self.starts = starts
      self.sources = sources
    }
  }
}
