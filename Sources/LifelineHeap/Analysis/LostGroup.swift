/// Unreachable nodes that leaked for one reason: a cycle, or one node that nothing refers to, and all that it keeps.
public struct LostGroup: Hashable, Sendable {
  /// The nodes to which no other lost node refers: one node, or nodes that keep each other. In order of address.
  public let core: [Int]
  /// All nodes that the core reaches, including itself, except those of earlier groups. In order of address.
  public let members: [Int]
  /// Whether the core keeps itself: a retain cycle.
  public let isCycle: Bool

  public init(core: [Int], members: [Int], isCycle: Bool) {
    self.core = core
    self.members = members
    self.isCycle = isCycle
  }

  /// All groups of lost nodes, in order of their first core node. O(nodes + edges).
  ///
  /// A cycle that another lost group keeps is a member there, and only a group of its own if nothing else lost refers
  /// to it. Groups without an object of the program's own classes are omitted.
  public static func groups(in graph: HeapGraph, _ reachability: HeapReachability) -> [LostGroup] {
    // A deinitialized object holds nothing, though its memory may still contain references.
    let components = HeapComponents(graph) { !reachability.isReachable($0) && !graph.isDeinited($0) }
    guard components.count > 0 else { return [] }
    var isHead = [Bool](repeating: true, count: components.count)
    var hasCycle = [Bool](repeating: false, count: components.count)
    var cores = [[Int]](repeating: [], count: components.count)
    for node in 0..<graph.count {
      let own = Int(components.component[node])
      guard own >= 0 else { continue }
      cores[own].append(node)
      for edge in graph.edges(from: node) {
        let other = Int(components.component[graph.target(of: edge)])
        if other == own { hasCycle[own] = true } else if other >= 0 { isHead[other] = false }
      }
    }
    var isTaken = [Bool](repeating: false, count: graph.count)
    var groups: [LostGroup] = []
    for number in (0..<components.count).filter({ isHead[$0] }).sorted(by: { cores[$0][0] < cores[$1][0] }) {
      let members = reached(from: cores[number], in: graph, components, &isTaken)
      let isOwn = members.contains {
        graph.type(of: $0).kind == .object && graph.type(of: $0).isOwn && !graph.isImmortal($0)
      }
      if isOwn { groups.append(LostGroup(core: cores[number], members: members, isCycle: hasCycle[number])) }
    }
    return groups
  }

  private static func reached(
    from core: [Int], in graph: HeapGraph, _ components: HeapComponents, _ isTaken: inout [Bool]
  ) -> [Int] {
    var members = core
    for node in core { isTaken[node] = true }
    var next = 0
    while next < members.count {
      for edge in graph.edges(from: members[next]) {
        let target = graph.target(of: edge)
        guard components.component[target] >= 0, !isTaken[target] else { continue }
        isTaken[target] = true
        members.append(target)
      }
      next += 1
    }
    return members.sorted()
  }
}
