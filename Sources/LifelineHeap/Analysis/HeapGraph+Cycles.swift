extension HeapGraph {
  /// Whether an edge between some nodes is part of a cycle of these. O(edges of the nodes).
  public func isInCycle(_ edge: Int, within nodes: Set<Int>) -> Bool {
    let goal = source(of: edge)
    var seen: Set = [target(of: edge)], next = [target(of: edge)]
    while let here = next.popLast() {
      if here == goal { return true }
      for edge in edges(from: here) where nodes.contains(target(of: edge)) && seen.insert(target(of: edge)).inserted {
        next.append(target(of: edge))
      }
    }
    return false
  }

  /// The shortest cycle through a node within some nodes; nil if there is none.
  ///
  /// The first and the last step are the node itself; the last has no edge. O(edges of the nodes).
  public func cycle(through node: Int, within nodes: Set<Int>) -> HeapPath? {
    var before: [Int: (node: Int, edge: Int)] = [:]
    var queue = [node], next = 0
    while next < queue.count {
      let here = queue[next]
      next += 1
      for edge in edges(from: here) {
        let target = target(of: edge)
        if target == node {
          var steps = [HeapPath.Step(node: node, edge: nil), HeapPath.Step(node: here, edge: edge)]
          var back = here
          while back != node, let previous = before[back] {
            steps.append(HeapPath.Step(node: previous.node, edge: previous.edge))
            back = previous.node
          }
          return HeapPath(root: nil, steps: steps.reversed())
        }
        guard nodes.contains(target), before[target] == nil else { continue }
        before[target] = (here, edge)
        queue.append(target)
      }
    }
    return nil
  }
}
