/// Paths between nodes, for graphs small enough to query one node at a time.
extension HeapGraph {
  /// Everything that a node keeps alive, including itself only if a cycle leads back to it. O(edges).
  public func reachable(from node: Int) -> Set<Int> {
    var seen: Set<Int> = []
    var queue = [node]
    while let here = queue.popLast() {
      for edge in edges(from: here) where seen.insert(target(of: edge)).inserted { queue.append(target(of: edge)) }
    }
    return seen
  }

  /// The nodes with a path to the goal through `between` nodes only, each with the next node on its shortest such path;
  /// the goal maps to itself. O(edges).
  public func ways(to goal: Int, between isBetween: (Int) -> Bool) -> [Int: Int] {
    var referrers: [Int: [Int]] = [:]
    for node in 0..<count where isBetween(node) {
      for edge in edges(from: node) { referrers[target(of: edge), default: []].append(node) }
    }
    var next = [goal: goal]
    var queue = [goal], first = 0
    while first < queue.count {
      let here = queue[first]
      first += 1
      for node in referrers[here] ?? [] where next[node] == nil {
        next[node] = here
        queue.append(node)
      }
    }
    return next
  }
}
