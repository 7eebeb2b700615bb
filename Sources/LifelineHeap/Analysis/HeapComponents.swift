/// Strongly connected components of some of the nodes: nodes that lead to each other are one component.
///
/// Tarjan's algorithm without recursion. Components are numbered so that each only leads to smaller numbers. The memory
/// is that of the members, not of the graph.
struct HeapComponents {
  /// The component of each member, in order of the members.
  private(set) var component: [Int32]
  private(set) var count = 0

  /// `isOmitted` gets a member's number, an edge from it, and the member to which that leads.
  init(
    _ graph: HeapGraph, among members: NodeSet, without isOmitted: (Int, Int, Int) -> Bool = { _, _, _ in false }
  ) {
    let size = members.count
    component = Array(repeating: -1, count: size)
    var order = [UInt32](repeating: 0, count: size)  // 0: not seen
    var low = [UInt32](repeating: 0, count: size)
    var stack: [UInt32] = []
    var work: [(member: UInt32, edge: UInt32)] = []
    var next: UInt32 = 1
    func edges(_ member: Int) -> Range<Int> { graph.edges(from: Int(members.nodes[member])) }
    func open(_ member: Int) {
      work.append((UInt32(member), UInt32(edges(member).lowerBound)))
      order[member] = next
      low[member] = next
      next += 1
      stack.append(UInt32(member))
    }
    for start in 0..<size where order[start] == 0 {
      open(start)
      while let top = work.last {
        let member = Int(top.member)
        if top.edge < edges(member).upperBound {
          work[work.count - 1].edge += 1
          guard let target = members.index(of: graph.target(of: Int(top.edge))),
            !isOmitted(member, Int(top.edge), target)
          else { continue }
          if order[target] == 0 {
            open(target)
          } else if component[target] < 0 {
            low[member] = min(low[member], order[target])
          }
        } else {
          work.removeLast()
          if let before = work.last { low[Int(before.member)] = min(low[Int(before.member)], low[member]) }
          guard low[member] == order[member] else { continue }
          while let one = stack.popLast() {
            component[Int(one)] = Int32(count)
            if Int(one) == member { break }
          }
          count += 1
        }
      }
    }
  }
}
