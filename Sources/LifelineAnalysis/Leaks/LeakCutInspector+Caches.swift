import LifelineHeap

extension LeakCutInspector {
  /// The entries of Foundation's NSCache on Linux, which refer to each other both ways. Only its `removeAllObjects()`
  /// takes them apart (`NSCache.swift` in swift-corelibs-foundation), so without it they outlive the cache.
  private static let entryPrefix = "Foundation.NSCacheEntry<"

  /// The emptying of each kind of cache that has entries among some nodes.
  func emptiedCaches(_ members: Set<Int>) -> [Candidate] {
    let entries = members.filter { graph.type(of: $0).name.hasPrefix(Self.entryPrefix) }
    guard !entries.isEmpty else { return [] }
    let edges = members.sorted().flatMap { graph.edges(from: $0) }.filter { entries.contains(graph.target(of: $0)) }
    let byClass = Dictionary(grouping: edges) { graph.type(of: graph.target(of: $0)).name }
    return byClass.map { name, edges in
      let age = edges.map { nodes.age(graph.target(of: $0)) }.min() ?? .max
      let cache = "Foundation.NSCache<" + name.dropFirst(Self.entryPrefix.count)
      return Candidate(change: .emptyCache(className: cache), rank: 4, age: age, edges: edges)
    }
  }
}
