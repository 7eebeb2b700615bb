extension HeapGraph {
  /// For each node the number of references to it that other nodes have. O(nodes + edges).
  public var knownReferences: [UInt32] {
    var known = [UInt32](repeating: 0, count: count)
    for target in edgeTargets { known[Int(target)] += 1 }
    return known
  }

  /// Whether there is a reference to a lost node that is not found in memory. Plain memory has no count, but an owner.
  public func isReferredElsewhere(_ node: Int, known: [UInt32]) -> Bool {
    type(of: node).kind == .memory ? known[node] == 0 : strongCounts[node] > known[node]
  }
}
