/// Strongly connected components of some of the nodes: nodes that lead to each other are one component.
///
/// Tarjan's algorithm without recursion. Components are numbered so that each only leads to smaller numbers.
public struct HeapComponents: Sendable {
  /// The component of each node; −1 for excluded nodes.
  public private(set) var component: [Int32]
  public private(set) var count = 0

  public init(_ graph: HeapGraph, among isMember: (Int) -> Bool) {
    let size = graph.count
    component = Array(repeating: -1, count: size)
    var index = [UInt32](repeating: 0, count: size)  // 0: not seen
    var low = [UInt32](repeating: 0, count: size)
    var stack: [UInt32] = []
    var work: [(node: UInt32, edge: UInt32)] = []
    var next: UInt32 = 1
    for start in 0..<size where index[start] == 0 && isMember(start) {
      work.append((UInt32(start), graph.edgeStarts[start]))
      index[start] = next
      low[start] = next
      next += 1
      stack.append(UInt32(start))
      while let top = work.last {
        let node = Int(top.node)
        if top.edge < graph.edgeStarts[node + 1] {
          work[work.count - 1].edge += 1
          let target = Int(graph.edgeTargets[Int(top.edge)])
          guard isMember(target) else { continue }
          if index[target] == 0 {
            index[target] = next
            low[target] = next
            next += 1
            stack.append(UInt32(target))
            work.append((UInt32(target), graph.edgeStarts[target]))
          } else if component[target] < 0 {
            low[node] = min(low[node], index[target])
          }
        } else {
          work.removeLast()
          if let before = work.last { low[Int(before.node)] = min(low[Int(before.node)], low[node]) }
          guard low[node] == index[node] else { continue }
          while let member = stack.popLast() {
            component[Int(member)] = Int32(count)
            if Int(member) == node { break }
          }
          count += 1
        }
      }
    }
  }
}
