extension HeapGraph {
  /// Whether there is a reference to a lost node that is not found in memory. Plain memory has no count, but an owner.
  public func isReferredElsewhere(_ node: Int, known: KnownReferences) -> Bool {
    type(of: node).kind == .memory ? known[node] == 0 : strongCounts[node] > known[node]
  }
}
