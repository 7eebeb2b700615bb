import LifelineHeap

/// What keeps how much, as a displayable tree: nodes of one class under one keeper are one entry.
///
/// A node is under the node that alone keeps it (its dominator); nodes with several paths are at the top.
public struct RetainedTree: Sendable {
  public struct Entry: Sendable {
    /// Full class name; "" for memory without a class.
    public let className: String
    public let kind: HeapType.Kind
    /// Nodes of this class in this place.
    public let count: Int
    /// Bytes that only these nodes keep, including themselves.
    public let retainedBytes: Int
    /// Nodes that only these nodes keep, including themselves.
    public let retainedCount: Int
    /// The root outside of the heap, if there is just one.
    public let root: HeapRoot?
    public let children: [Entry]
    /// Bytes in children too small to show.
    public let restBytes: Int
  }

  public let top: [Entry]
  public let totalBytes: Int
  public let totalCount: Int

  private static let depthLimit = 10
  private static let breadthLimit = 12

  /// O(nodes) for each level of the tree.
  public init(_ graph: HeapGraph, _ reachability: HeapReachability, _ dominators: HeapDominators) {
    var children: [Int: [Int]] = [:]
    var tops: [Int] = []
    var bytes = 0
    for node in 0..<graph.count where reachability.isReachable(node) {
      bytes += graph.size(of: node)
      if let parent = dominators.parent(of: node) {
        children[parent, default: []].append(node)
      } else {
        tops.append(node)
      }
    }
    totalBytes = bytes
    totalCount = reachability.reachableCount
    let builder = Builder(
      graph: graph, dominators: dominators, reachability: reachability, children: children, least: max(64, bytes / 500))
    // At the top each global is a separate entry, because users look for it by name.
    top = builder.entries(tops, depth: 0, isTop: true).entries
  }

  private struct Builder {
    struct Key: Hashable {
      let type: Int
      let rootKind: HeapRoot.Kind?
      let rootAddress: UInt64
    }

    let graph: HeapGraph
    let dominators: HeapDominators
    let reachability: HeapReachability
    let children: [Int: [Int]]
    /// Smaller entries are left out.
    let least: Int

    func entries(_ nodes: [Int], depth: Int, isTop: Bool) -> (entries: [Entry], rest: Int) {
      var groups: [Key: [Int]] = [:]
      for node in nodes {
        let root = isTop ? root(of: node) : nil
        let key = Key(
          type: graph.typeIndex(of: node), rootKind: root?.kind,
          rootAddress: root.map { $0.kind == .global ? $0.address : UInt64($0.place) } ?? 0)
        groups[key, default: []].append(node)
      }
      let sized = groups.map {
        (key: $0.key, nodes: $0.value, bytes: $0.value.reduce(0) { $0 + dominators.retainedSize(of: $1) })
      }
      .sorted {
        ($1.bytes, graph.types[$0.key.type].name, $0.key.rootAddress) < (
          $0.bytes, graph.types[$1.key.type].name, $1.key.rootAddress
        )
      }
      let shown = sized.prefix(isTop ? RetainedTree.breadthLimit * 3 : RetainedTree.breadthLimit).filter {
        $0.bytes >= least || (isTop && graph.types[$0.key.type].isOwn)
      }
      let entries = shown.map { group in
        let below =
          depth < RetainedTree.depthLimit
          ? self.entries(group.nodes.flatMap { children[$0] ?? [] }, depth: depth + 1, isTop: false) : ([], 0)
        let type = graph.types[group.key.type]
        return Entry(
          className: type.name, kind: type.kind, count: group.nodes.count, retainedBytes: group.bytes,
          retainedCount: group.nodes.reduce(0) { $0 + dominators.retainedCount(of: $1) },
          root: isTop ? root(of: group.nodes[0]) : nil,
          children: below.0, restBytes: below.1)
      }
      return (entries, sized.reduce(0) { $0 + $1.bytes } - shown.reduce(0) { $0 + $1.bytes })
    }

    private func root(of node: Int) -> HeapRoot? {
      reachability.parent(of: node) == nil ? reachability.path(to: node)?.root : nil
    }
  }
}
