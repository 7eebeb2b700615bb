extension LeakCutInspector {
  /// Clearing a whole property whose value, a struct for example, has several of the references: where a change to one
  /// of them is not enough, and needs changes elsewhere, this may be.
  func wholeValues(in changes: [Candidate], of candidates: [Candidate]) -> [Candidate] {
    var seen: Set<String> = []
    return changes.compactMap { change in
      guard let (className, property) = change.change.weakenedProperty, let dot = property.firstIndex(of: ".") else {
        return nil
      }
      let value = String(property[..<dot])
      let parts = candidates.filter { candidate in
        candidate.change.property.map {
          $0.className == className && ($0.property == value || $0.property.hasPrefix(value + "."))
        } ?? false
      }
      guard parts.count > 1, seen.insert("\(className).\(value)").inserted else { return nil }
      return clearing(value, of: className, parts.flatMap(\.edges))
    }
  }

  /// What a property no longer refers to when it is cleared, directly or as elements.
  func cleared(by change: Candidate) -> Set<Int> {
    let targets = change.edges.map { graph.target(of: $0) }
    let elements = targets.filter { graph.type(of: $0).kind == .storage }.flatMap { storage in
      graph.edges(from: storage).map { graph.target(of: $0) }
    }
    return Set(targets + elements)
  }

  private func clearing(_ value: String, of className: String, _ edges: [Int]) -> Candidate {
    // A part of a constant's value is constant as well; whether the value is an optional, the part does not tell.
    let isConstant = edges.allSatisfy { nodes.graph.field(of: $0)?.isConstant == true }
    let change: LeakCut.Change =
      isConstant
      ? .clearConstant(className: className, property: value, .unknown)
      : .clear(className: className, property: value, .unknown)
    return Candidate(change: change, rank: 4, age: 0, edges: edges)
  }
}
