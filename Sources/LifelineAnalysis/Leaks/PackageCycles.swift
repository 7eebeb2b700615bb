import LifelineHeap

/// Objects of other packages that still keep each other after a change.
///
/// A package's objects may refer to each other until one that its user holds is freed: a subscription, whose deinit
/// ends it. The graph does not show what a deinit does, so whether it frees them is not certain.
struct PackageCycles {
  private let nodes: LostNodes
  private let classes: ClassTable
  private let kept: Set<Int>
  private let cut: Set<Int>
  private var graph: HeapGraph { nodes.graph }

  /// The nodes that remain without some edges.
  init(nodes: LostNodes, classes: ClassTable, kept: [Int], without cut: Set<Int>) {
    self.nodes = nodes
    self.classes = classes
    self.kept = Set(kept)
    self.cut = cut
  }

  /// Objects that are looked at one by one.
  private static let breakerLimit = 16

  /// The class of a freed object whose own deinit may free what is kept: its module is that of the objects that keep
  /// each other, not the one that changes, and such objects refer to all of them, at least indirectly. The oldest one
  /// that refers to most. O(edges).
  ///
  /// Objects of the module that changes may be kept as well, if only the package's refer to them, and a property no
  /// longer refers to the object with the deinit: `cleared` has the nodes that it no longer refers to.
  func breaker(among freed: [Int], changing changed: String, cleared: Set<Int>? = nil) -> String? {
    let cyclic = cyclic(withoutReferencesOf: { _ in false }).filter(nodes.isOwn)
    var modules = Set(cyclic.map(module))
    let isMixed = cleared != nil && modules.remove(changed) != nil
    if isMixed {
      let left = self.cyclic(withoutReferencesOf: { modules.contains(module($0)) && nodes.isOwn($0) })
      if left.contains(where: nodes.isOwn) { return nil }
    }
    guard !modules.isEmpty, !modules.contains(changed) else { return nil }
    let others = Set(cyclic.map { graph.type(of: $0).name })
    var mayEnd: [String: Bool] = [:]
    let breakers = freed.filter { node in
      let name = graph.type(of: node).name
      guard nodes.isOwn(node), modules.contains(module(node)), !isMixed || cleared!.contains(node) else { return false }
      let known = mayEnd[name] ?? classes.mayEnd(others, inDeinitOf: name)
      mayEnd[name] = known
      return known
    }
    guard reached(from: breakers).isSuperset(of: cyclic) else { return nil }
    let oldest = breakers.sorted { (nodes.age($0), $0) < (nodes.age($1), $1) }.prefix(Self.breakerLimit)
    let counts = oldest.map { reached(from: [$0]).intersection(cyclic).count }
    guard let most = counts.max(), most > 0 else { return nil }
    return counts.firstIndex(of: most).map { graph.type(of: oldest[$0]).name }
  }

  private func module(_ node: Int) -> String { Self.module(graph.type(of: node).name) }

  /// The nodes in cycles, and between them, if some nodes give up their references.
  private func cyclic(withoutReferencesOf hasEnded: (Int) -> Bool) -> Set<Int> {
    var targets: [Int: [Int]] = [:], sources: [Int: [Int]] = [:]
    for node in kept where !hasEnded(node) {
      for edge in graph.edges(from: node) where !cut.contains(edge) && kept.contains(graph.target(of: edge)) {
        targets[node, default: []].append(graph.target(of: edge))
        sources[graph.target(of: edge), default: []].append(node)
      }
    }
    return Self.trimmed(Self.trimmed(kept, along: targets, against: sources), along: sources, against: targets)
  }

  /// Without nodes that no other node leads to, and those that only these lead to.
  private static func trimmed(_ nodes: Set<Int>, along next: [Int: [Int]], against before: [Int: [Int]]) -> Set<Int> {
    var left = nodes
    var counts = Dictionary(uniqueKeysWithValues: nodes.map { ($0, before[$0]?.count(where: nodes.contains) ?? 0) })
    var work = nodes.filter { counts[$0] == 0 }
    while let node = work.popFirst() {
      left.remove(node)
      for target in next[node] ?? [] {
        guard let count = counts[target] else { continue }
        counts[target] = count - 1
        if count == 1 { work.insert(target) }
      }
    }
    return left
  }

  /// The nodes that references lead to, over at least one edge.
  private func reached(from starts: [Int]) -> Set<Int> {
    var seen: Set<Int> = []
    var next = starts
    while let node = next.popLast() {
      for edge in graph.edges(from: node) where !cut.contains(edge) {
        if seen.insert(graph.target(of: edge)).inserted { next.append(graph.target(of: edge)) }
      }
    }
    return seen
  }

  static func module(_ className: String) -> String { String(className.prefix { $0 != "." }) }
}
