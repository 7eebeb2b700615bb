/// What becomes free when references within a lost group go away, as reference counting would have it.
///
/// An object is freed when no reference to it is left; then its own references go. Its count is the one in its
/// header where that is known, so references that nobody in the group accounts for keep it, as they would in truth.
public struct EdgeCut: Hashable, Sendable {
  /// Nodes that become free, in order of address.
  public let freed: [Int]
  /// Nodes of the group that stay.
  public let kept: [Int]

  public var freesAll: Bool { kept.isEmpty }

  /// Cuts edges of a group, by their numbers.
  public init(_ cut: Set<Int>, of group: LostGroup, in graph: HeapGraph) {
    let nodes = Set(group.members)
    var counts: [Int: Int] = [:]
    for node in group.members {
      for edge in graph.edges(from: node) { counts[graph.target(of: edge), default: 0] += 1 }
    }
    for node in group.members where graph.strongCounts[node] > 0 { counts[node] = Int(graph.strongCounts[node]) }
    var freed: Set<Int> = []
    var work: [Int] = []
    func drop(_ target: Int) {
      guard nodes.contains(target), !freed.contains(target) else { return }
      counts[target, default: 0] -= 1
      if counts[target]! <= 0 {
        freed.insert(target)
        work.append(target)
      }
    }
    for edge in cut.sorted() { drop(graph.target(of: edge)) }
    while let node = work.popLast() {
      for edge in graph.edges(from: node) where !cut.contains(edge) { drop(graph.target(of: edge)) }
    }
    self.freed = freed.sorted()
    kept = group.members.filter { !freed.contains($0) }
  }
}
