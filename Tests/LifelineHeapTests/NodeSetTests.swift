import LifelineHeap
import Testing

struct NodeSetTests {
  @Test("Each member has its number, and other nodes have none", arguments: [1, 63, 64, 65, 200])
  func numbers(count: Int) {
    let nodes = (0..<UInt32(count)).filter { $0 % 3 == 0 || $0 > 100 }
    let set = NodeSet(below: count, nodes)
    #expect(set.count == nodes.count)
    for (number, node) in nodes.enumerated() { #expect(set.index(of: Int(node)) == number) }
    for node in 0..<count where !nodes.contains(UInt32(node)) { #expect(set.index(of: node) == nil) }
  }

  @Test("A set without nodes contains none of a graph's")
  func empty() {
    let set = NodeSet(below: 130, [])
    #expect((0..<130).allSatisfy { set.index(of: $0) == nil })
  }
}
