/// Unreachable nodes that leaked for one reason: a cycle, or one node that nothing refers to, and all that it keeps.
public struct LostGroup: Hashable, Sendable {
  /// The nodes to which no other lost node refers: one node, or nodes that keep each other. In order of address.
  public let core: [Int]
  /// All nodes that the core reaches, including itself, except those of earlier groups. In order of address.
  public let members: [Int]
  /// Whether the core keeps itself.
  public let isCycle: Bool
  /// Numbers of edges, of these or other nodes, that are words from earlier contents.
  public let leftOver: Set<Int>

  public init(core: [Int], members: [Int], isCycle: Bool, leftOver: Set<Int> = []) {
    self.core = core
    self.members = members
    self.isCycle = isCycle
    self.leftOver = leftOver
  }

  /// Whether objects or closures keep each other. A waiting task, the memory of its frames and its closure always do,
  /// and so do tasks that wait for each other, or for a stream that only they refer to: what they hold is lost with the
  /// tasks.
  public func isRetainCycle(in graph: HeapGraph) -> Bool {
    guard isCycle else { return false }
    if core.contains(where: graph.isUnfinishedTask), !core.contains(where: graph.isOwnObject) { return false }
    return core.contains { ![HeapType.Kind.task, .memory].contains(graph.type(of: $0).kind) }
  }

  /// All groups of nodes that no root leads to, in order of their first core node. O(nodes + edges).
  ///
  /// A cycle that another lost group keeps is a member there, and only a group of its own if nothing else lost refers
  /// to it. Groups without an object of the program's own classes are omitted. A word that may be borrowed, or left
  /// over from earlier contents, does not count if other references to the object are as many as its strong count.
  public static func groups(in graph: HeapGraph) -> [LostGroup] {
    let reachable = ReachableNodes(graph)
    return groups(in: graph, isReachable: reachable.contains)
  }

  /// The same, where it is already known what the roots lead to.
  public static func groups(in graph: HeapGraph, _ reachability: HeapReachability) -> [LostGroup] {
    groups(in: graph, isReachable: reachability.isReachable)
  }

  private static func groups(in graph: HeapGraph, isReachable: (Int) -> Bool) -> [LostGroup] {
    // A deinitialized object holds nothing, though its memory may still contain references.
    var nodes: [UInt32] = []
    for node in 0..<graph.count where !isReachable(node) && !graph.isDeinited(node) { nodes.append(UInt32(node)) }
    let lost = NodeSet(below: graph.count, nodes)
    let leftOver = LeftOverWords(graph, among: nodes).edges
    let counted = counted(lost, in: graph, without: leftOver)
    func isBorrowed(_ member: Int, _ edge: Int, _ target: Int) -> Bool {
      if leftOver.contains(edge) { return true }
      guard isDoubtful(edge, of: Int(lost.nodes[member]), in: graph) else { return false }
      let count = graph.strongCounts[graph.target(of: edge)]
      return count > 0 && counted[target] >= count
    }
    let components = HeapComponents(graph, among: lost, without: isBorrowed)
    var isHead = [Bool](repeating: true, count: components.count)
    var hasCycle = [Bool](repeating: false, count: components.count)
    // The nodes of each component. Most have one.
    var firsts = [Int](repeating: -1, count: components.count)
    var others: [Int: [Int]] = [:]
    for (index, node) in lost.nodes.enumerated() {
      let own = Int(components.component[index])
      if firsts[own] < 0 { firsts[own] = Int(node) } else { others[own, default: []].append(Int(node)) }
      for edge in graph.edges(from: Int(node)) {
        guard let target = lost.index(of: graph.target(of: edge)), !isBorrowed(index, edge, target) else { continue }
        let other = Int(components.component[target])
        if other == own { hasCycle[own] = true } else { isHead[other] = false }
      }
    }
    // What a variable of a function that has ended had, such as an array of what a loop went through.
    let strays = (0..<components.count).filter { number in
      isHead[number] && !hasCycle[number] && others[number] == nil
        && graph.type(of: firsts[number]).kind == .storage
        && keepsCycle(firsts[number], in: graph, lost, components, hasCycle)
    }.map { firsts[$0] }
    if !strays.isEmpty {
      let all = Set(strays)
      return groups(in: graph) { isReachable($0) || all.contains($0) }
    }
    var isTaken = [Bool](repeating: false, count: lost.count)
    var groups: [LostGroup] = []
    for number in (0..<components.count).filter({ isHead[$0] }).sorted(by: { firsts[$0] < firsts[$1] }) {
      let first = firsts[number]
      let rest = others[number] ?? []
      // Such as plain memory that refers to nothing.
      if rest.isEmpty, graph.edges(from: first).isEmpty, !graph.isOwnObject(first) { continue }
      let core = [first] + rest
      let members = reached(from: core, in: graph, lost, without: isBorrowed, &isTaken)
      let isOwn = members.contains {
        graph.type(of: $0).kind == .object && graph.type(of: $0).isOwn && !graph.isImmortal($0)
      }
      if isOwn {
        groups.append(LostGroup(core: core, members: members, isCycle: hasCycle[number], leftOver: leftOver))
      }
    }
    return groups
  }

  /// Whether an element of an array or the like is an object of the program's own in a cycle.
  private static func keepsCycle(
    _ storage: Int, in graph: HeapGraph, _ lost: NodeSet, _ components: HeapComponents, _ hasCycle: [Bool]
  ) -> Bool {
    graph.edges(from: storage).contains { edge in
      let target = graph.target(of: edge)
      return lost.index(of: target).map { hasCycle[Int(components.component[$0])] } == true && graph.isOwnObject(target)
    }
  }

  /// Whether it is a word in plain memory, such as a task's frames, or the last one of a closure's context, which may
  /// be malloc's.
  private static func isDoubtful(_ edge: Int, of node: Int, in graph: HeapGraph) -> Bool {
    switch graph.type(of: node).kind {
    case .memory: true
    case .closure, .box: graph.offset(of: edge) + 8 == graph.size(of: node)
    case .object, .storage, .task, .other: false
    }
  }

  /// By member of `lost`: the references to it from others, without doubtful words, those left over, and values that
  /// may refer to an object without keeping it.
  private static func counted(_ lost: NodeSet, in graph: HeapGraph, without leftOver: Set<Int>) -> [UInt32] {
    var counts = [UInt32](repeating: 0, count: lost.count)
    for node in lost.nodes {
      for edge in graph.edges(from: Int(node))
      where !isDoubtful(edge, of: Int(node), in: graph) && !leftOver.contains(edge) && !graph.isOfUnknownValue(edge) {
        if let target = lost.index(of: graph.target(of: edge)) { counts[target] &+= 1 }
      }
    }
    return counts
  }

  /// The numbers of references to its members from other groups, of which at most `limit` nodes are examined.
  public func references(from groups: some Sequence<LostGroup>, in graph: HeapGraph, limit: Int) -> [Int: Int] {
    let own = Set(members)
    var counts: [Int: Int] = [:]
    var left = limit
    for group in groups where group.core != core {
      left -= group.members.count
      if left < 0 { break }
      for node in group.members {
        for edge in graph.edges(from: node) where own.contains(graph.target(of: edge)) {
          counts[graph.target(of: edge), default: 0] += 1
        }
      }
    }
    return counts
  }

  private static func reached(
    from core: [Int], in graph: HeapGraph, _ lost: NodeSet, without isOmitted: (Int, Int, Int) -> Bool,
    _ isTaken: inout [Bool]
  ) -> [Int] {
    var members = core
    for node in core { lost.index(of: node).map { isTaken[$0] = true } }
    var next = 0
    while next < members.count {
      let member = lost.index(of: members[next])!
      for edge in graph.edges(from: members[next]) {
        let target = graph.target(of: edge)
        guard let index = lost.index(of: target), !isTaken[index], !isOmitted(member, edge, index) else { continue }
        isTaken[index] = true
        members.append(target)
      }
      next += 1
    }
    return members.sorted()
  }
}
