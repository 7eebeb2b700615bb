/// Which nodes the roots lead to, without the paths: a byte for each node, where `HeapReachability` needs twelve.
struct ReachableNodes {
  private enum State { static let unseen: UInt8 = 0, seen: UInt8 = 1, followed: UInt8 = 2 }

  private var states: [UInt8]

  /// Up to `mostOpen` pending nodes are listed, because an array of all objects makes all of them pending at once. The
  /// others are searched for when the list is empty. O((nodes / mostOpen + 1) × nodes + edges).
  init(_ graph: HeapGraph, mostOpen: Int = 1 << 18) {
    states = Array(repeating: State.unseen, count: graph.count)
    var open: [UInt32] = []
    var areSomeUnlisted = false
    func see(_ node: Int) {
      guard states[node] == State.unseen else { return }
      states[node] = State.seen
      if open.count < mostOpen { open.append(UInt32(node)) } else { areSomeUnlisted = true }
    }
    func follow(_ node: Int) {
      states[node] = State.followed
      for edge in graph.edges(from: node) { see(graph.target(of: edge)) }
    }
    for root in graph.roots {
      see(root.target)
      while let node = open.popLast() { follow(Int(node)) }
    }
    while areSomeUnlisted {
      areSomeUnlisted = false
      for start in 0..<graph.count where states[start] == State.seen {
        follow(start)
        while let node = open.popLast() { follow(Int(node)) }
      }
    }
  }

  func contains(_ node: Int) -> Bool { states[node] != State.unseen }

  /// Its references are not followed.
  mutating func insert(_ node: Int) { states[node] = State.followed }
}
