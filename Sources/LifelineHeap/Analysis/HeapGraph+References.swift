extension HeapGraph {
  /// Whether there is a reference to a lost node that is not found in memory. Plain memory has no count, but an owner.
  public func isReferredElsewhere(_ node: Int, known: KnownReferences) -> Bool {
    type(of: node).kind == .memory ? known[node] == 0 : strongCounts[node] > known[node]
  }

  /// Whether a reference is in a property of an object whose value may not own what it refers to, such as an
  /// `Unmanaged`: a library's struct, whose parts are not known.
  func isOfUnknownValue(_ edge: Int) -> Bool {
    let type = type(of: source(of: edge))
    return type.kind == .object && type.isOwn && function(of: edge) == nil
      && type.field(at: offset(of: edge))?.content == .anything
  }
}
