import LifelineHeap

/// Which of a closure's captures a change is about.
extension LeakCutInspector {
  /// The captures of which no closure holds more than one reference to objects of the class.
  func single(_ candidates: [Candidate]) -> Set<LeakCut.Change> {
    Set(
      candidates.filter { candidate in
        var sources: Set<Int> = []
        return (candidate.edges + candidate.others).allSatisfy { sources.insert(graph.source(of: $0)).inserted }
      }.map(\.change))
  }

  /// The captures of which one variable in all contexts of the closure's is enough: without it, as much is freed.
  func captured(
    _ candidates: [Candidate], in group: LostGroup, _ result: EdgeCut
  ) -> [LeakCut.Change: LeakCut.Captured] {
    var found: [LeakCut.Change: LeakCut.Captured] = [:]
    for candidate in candidates {
      guard case .captureWeakly = candidate.change, let first = candidate.edges.first.flatMap(captured),
        candidate.edges.allSatisfy({ captured($0) == first })
      else { continue }
      found[candidate.change] = first
    }
    // One variable's references instead of all that the closure has to objects of the class.
    let taken = candidates.map { candidate in
      let place = found[candidate.change]
      return candidate.edges + candidate.others.filter { place == nil || place == captured($0) }
    }
    let isFewer = zip(candidates, taken).contains { $0.edges.count + $0.others.count > $1.count }
    guard isFewer else { return found }
    let fewer = EdgeCut(
      Set(taken.joined()), ending: candidates.flatMap(\.ending), elsewhere: elsewhere, of: group, in: graph)
    return fewer.freed.count == result.freed.count ? found : [:]
  }

  /// Where a reference is in its closure's context.
  private func captured(_ edge: Int) -> LeakCut.Captured? {
    let source = graph.source(of: edge)
    guard [.closure, .box].contains(graph.type(of: source).kind) else { return nil }
    // A closure that captured one object may have that as its context.
    let objects = graph.edges(from: source).filter {
      graph.type(of: graph.target(of: $0)).kind == .object && graph.function(of: $0) == nil
    }.sorted { graph.offset(of: $0) < graph.offset(of: $1) }
    return objects.firstIndex(of: edge).map { LeakCut.Captured(index: $0, count: objects.count) }
  }
}
