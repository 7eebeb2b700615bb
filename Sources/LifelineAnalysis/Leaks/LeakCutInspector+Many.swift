import LifelineHeap

extension LeakCutInspector {
  /// Of so many changes, the likeliest mistakes, the fewest are looked for that are enough.
  private static let manyLimit = 32
  /// A proposal with more changes than that helps nobody.
  private static let changeLimit = 8

  /// More changes than are otherwise proposed together, all of them necessary: an object that children, closures and
  /// lists of its own refer to has a mistake in each of these references.
  ///
  /// Only in a cycle of one module's objects: those of several are mostly a framework's, which refer to each other by
  /// design until a call ends them. What is least likely a mistake is given up first; proving takes time proportional
  /// to the references of the group for each.
  func many(_ candidates: [Candidate], _ group: LostGroup) -> ProvenCut? {
    var needed = Array(candidates.prefix(Self.manyLimit))
    let own = group.core.filter { graph.type(of: $0).kind == .object && nodes.isOwn($0) }
    let modules = Set(own.map { PackageCycles.module(graph.type(of: $0).name) })
    guard modules.count == 1, var found = proven(needed, group), found.cut.isWhole else { return nil }
    for index in needed.indices.reversed() {
      var fewer = needed
      fewer.remove(at: index)
      guard let cut = proven(fewer, group), cut.cut.isWhole else { continue }
      (needed, found) = (fewer, cut)
    }
    let isOneModule = modules.isSuperset(of: needed.compactMap { module($0.change) })
    return isOneModule && needed.count <= Self.changeLimit ? found : nil
  }
}
