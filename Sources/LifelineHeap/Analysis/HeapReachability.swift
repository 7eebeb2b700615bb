/// Which nodes the roots lead to, and the path to each that is easiest to understand.
///
/// A path costs the sum of its steps: a step through an object costs 1, through plain memory 2, and a root more the
/// less informative it is. The cheapest path is kept. O(nodes + edges).
public struct HeapReachability: Sendable {
  private static let unreachable: Int32 = -1
  private let graph: HeapGraph
  /// The previous node of each, `unreachable`, or −2 − the number of a root.
  private var parents: [Int32]
  private var parentEdges: [UInt32]
  public private(set) var reachableCount = 0

  /// `withoutRoots` excludes roots by number, to find what would remain reachable.
  public init(_ graph: HeapGraph, withoutRoots isLeftOut: (HeapRoot) -> Bool = { _ in false }) {
    self.graph = graph
    let count = graph.count
    parents = Array(repeating: Self.unreachable, count: count)
    parentEdges = Array(repeating: 0, count: count)
    var costs = [UInt32](repeating: .max, count: count)
    // One bucket for each cost, as many as the maximum cost of a step, `Cost.most`.
    var buckets = [[UInt32]](repeating: [], count: Int(Cost.most) + 1)
    var open = 0
    for (number, root) in graph.roots.enumerated() where !isLeftOut(root) {
      let cost = Cost.of(root.kind)
      guard cost < costs[root.target] else { continue }
      costs[root.target] = cost
      parents[root.target] = Int32(-2 - number)
      buckets[Int(cost)].append(UInt32(root.target))
      open += 1
    }
    let isMemory = graph.types.map { $0.kind == .memory }
    var cost: UInt32 = 0
    while open > 0 {
      let slot = Int(cost % (Cost.most + 1))
      let bucket = buckets[slot]
      buckets[slot] = []
      open -= bucket.count
      for number in bucket {
        let node = Int(number)
        guard costs[node] == cost else { continue }
        reachableCount += 1
        let next = cost + (isMemory[graph.typeIndex(of: node)] ? 2 : 1)
        for edge in graph.edges(from: node) {
          let target = graph.target(of: edge)
          guard next < costs[target] else { continue }
          costs[target] = next
          parents[target] = Int32(node)
          parentEdges[target] = UInt32(edge)
          buckets[Int(next % (Cost.most + 1))].append(UInt32(target))
          open += 1
        }
      }
      cost += 1
    }
  }

  private enum Cost {
    static let most: UInt32 = 12

    static func of(_ kind: HeapRoot.Kind) -> UInt32 {
      switch kind {
      case .global: 0
      case .task, .queue: 1
      // A queue is also in the data of the thread that runs it.
      case .threadLocal: 2
      case .stack, .variable: 3
      case .memory: 6
      // Mostly left over from an earlier call.
      case .register: 12
      }
    }
  }

  public func isReachable(_ node: Int) -> Bool { parents[node] != Self.unreachable }

  /// The previous node on its path, nil for the target of a root.
  public func parent(of node: Int) -> Int? { parents[node] >= 0 ? Int(parents[node]) : nil }

  /// The path from a root to a node; nil if it is unreachable.
  public func path(to node: Int) -> HeapPath? {
    guard isReachable(node) else { return nil }
    var steps = [HeapPath.Step(node: node, edge: nil)]
    var here = node
    while parents[here] >= 0 {
      let edge = Int(parentEdges[here])
      here = Int(parents[here])
      steps.append(HeapPath.Step(node: here, edge: edge))
    }
    return HeapPath(root: graph.roots[-2 - Int(parents[here])], steps: steps.reversed())
  }
}
