/// References found by a closer search to blocks that seemed lost, and which of these they keep alive.
struct FoundReferences {
  private let graph: HeapGraph
  private var reachable: ReachableNodes
  /// References in blocks that seem lost themselves, which count once something refers to the block.
  private var waiting: [Int: [(target: Int, address: UInt64)]] = [:]
  /// A root for each block with a reference from something reachable.
  private(set) var roots: [HeapRoot] = []

  /// The addresses of words that keep nothing.
  private let leftOver: Set<UInt64>

  /// O(nodes + edges).
  init(_ graph: HeapGraph, without leftOver: Set<UInt64> = []) {
    self.graph = graph
    self.leftOver = leftOver
    reachable = ReachableNodes(graph)
  }

  /// Whether an object of the program's own seems lost.
  var areSomeLost: Bool { (0..<graph.count).contains { isLost($0) && graph.isOwnObject($0) } }

  /// What nothing keeps alive so far. O(nodes).
  var lost: NodeSet { NodeSet(below: graph.count, (0..<graph.count).filter(isLost).map { UInt32($0) }) }

  func isLost(_ node: Int) -> Bool { !reachable.contains(node) }

  /// Adds a reference at an address, in a block or outside of the heap.
  mutating func add(_ target: Int, holder: Int?, address: UInt64) {
    guard !reachable.contains(target), target != holder, !leftOver.contains(address) else { return }
    if let holder, !reachable.contains(holder) {
      waiting[holder, default: []].append((target, address))
    } else {
      revive(target, address)
    }
  }

  /// Marks a block with a reference as reachable, together with everything it leads to.
  private mutating func revive(_ target: Int, _ address: UInt64) {
    var open = [(target, address, true)]
    while let (node, address, isFound) = open.popLast() {
      guard !reachable.contains(node) else { continue }
      reachable.insert(node)
      if isFound { roots.append(HeapRoot(kind: .memory, target: node, address: address)) }
      for edge in graph.edges(from: node) { open.append((graph.target(of: edge), 0, false)) }
      for (target, address) in waiting.removeValue(forKey: node) ?? [] { open.append((target, address, true)) }
    }
  }
}
