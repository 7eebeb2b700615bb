import Testing

@testable import LifelineHeap

/// The heap of a process that examines itself: what known objects lead to.
struct ObjectSearchTests {
  private let memory = SyntheticMemory()
  private let first = SyntheticMemory.heap + 0x100, second = SyntheticMemory.heap + 0x200
  private let third = SyntheticMemory.heap + 0x300

  private func graph(from objects: [UInt64], fields: ((UInt64) -> [HeapField]?)? = nil) -> HeapGraph {
    var process = HeapMemory(memory)
    process.fields = fields
    return HeapScanner(process).graph(from: objects)
  }

  /// Each reference, as "Node.next → 0x1000200".
  private func references(_ graph: HeapGraph) -> [String] {
    (0..<graph.edgeCount).map { edge in
      let name = graph.type(of: graph.source(of: edge)).shortName
      let property = graph.property(of: edge).map { ".\($0)" } ?? ""
      return "\(name)\(property) → 0x\(String(graph.addresses[graph.target(of: edge)], radix: 16))"
    }
  }

  @Test("An unrecorded closure is found through an object, and the object through the closure")
  func closure() {
    let node = memory.addClass("Node", [("next", "yyc")])
    memory.addObject(node, at: first, [second])
    memory.addObject(memory.addClosure(), at: second, [first])
    let graph = graph(from: [first])
    #expect(references(graph) == ["Node.next → 0x1000200", "(closure context) → 0x1000100"])
    #expect(graph.type(of: graph.node(at: second)!).kind == .closure)
    #expect(graph.reachable(from: graph.node(at: first)!) == [0, 1])
    let cycle = graph.cycle(through: 0, within: [0, 1])
    #expect(cycle?.steps.map(\.node) == [0, 1, 0])
  }

  @Test("Weak and unowned properties keep nothing")
  func ownership() {
    let node = memory.addClass("Node", [("a", "SSXw"), ("b", "SSXo"), ("c", "SS")])
    memory.addObject(node, at: first, [second, second, third])
    memory.addObject(node, at: second, [0, 0, 0])
    memory.addObject(node, at: third, [0, 0, 0])
    #expect(references(graph(from: [first])) == ["Node.c → 0x1000300"])
  }

  @Test("A reference may carry the spare bits that enums and bridged values set in an address")
  func spareBits() {
    let node = memory.addClass("Node", [("next", "SS")])
    memory.addObject(node, at: first, [second | 5 << 60 | 1])
    memory.addObject(node, at: second, [0])
    #expect(references(graph(from: [first])) == ["Node.next → 0x1000200"])
  }

  @Test(
    "A block that is being freed or has no metadata is not an object, nor is a number",
    arguments: [UInt64(3) | 1 << 32, 0])
  func noObject(counts: UInt64) {
    let node = memory.addClass("Node", [("next", "SS"), ("number", "Si")])
    memory.addObject(node, at: first, [second, 0x4141_4141_4140])
    memory.addObject(counts == 0 ? 0x4141_4140 : node, at: second, counts: counts, [0, 0])
    let graph = graph(from: [first])
    #expect(graph.addresses == [first])
    #expect(references(graph) == [])
  }

  @Test("An object with a side table is recognized, unless the table is another object's")
  func sideTable() {
    let node = memory.addClass("Node", [("next", "SS")])
    let table = third
    memory.addObject(node, at: first, counts: 3 << 62 | table >> 3, [0])
    // object, padding, strong and unowned counts
    memory.write(0x31, at: table - 8)
    memory.write(first, at: table)
    memory.write(3, at: table + 16)
    #expect(graph(from: [first]).node(at: first).map { graph(from: [first]).type(of: $0).name } == "App.Node")
    memory.write(second, at: table)
    #expect(graph(from: [first]).count == 0)
  }

  @Test("Every word of the program's variables is a root; system libraries and the recorder are not searched")
  func globals() {
    let node = memory.addClass("Node", [("next", "SS")])
    memory.addObject(node, at: first, [0])
    let (data, system, recorder) = (SyntheticMemory.data, SyntheticMemory.system, SyntheticMemory.recorder)
    for address in [data + 8, data + 24, system + 16, recorder + 8] { memory.write(first, at: address) }
    let roots = graph(from: [first]).roots
    #expect(roots.map(\.address) == [data + 8, data + 24])
    #expect(roots.allSatisfy { $0.kind == .global && $0.target == 0 })
  }

  @Test("What only a variable of the program refers to is found, too")
  func reachedFromGlobals() {
    let node = memory.addClass("Node", [("next", "SS")])
    memory.addObject(node, at: first, [0])
    memory.addObject(memory.addClosure(), at: second, [first])
    memory.write(second, at: SyntheticMemory.data + 8)
    memory.write(third, at: SyntheticMemory.system + 16)
    memory.addObject(node, at: third, [first])
    let graph = graph(from: [first])
    #expect(references(graph) == ["(closure context) → 0x1000100"])
    #expect(graph.roots.map(\.address) == [SyntheticMemory.data + 8])
  }

  @Test("Properties that the process itself reports replace those read from memory")
  func fields() {
    let node = memory.addClass("Node", [("pair", "SS"), ("other", "SS")])
    memory.addObject(node, at: first, [second, third])
    memory.addObject(node, at: second, [0, 0])
    memory.addObject(node, at: third, [0, 0])
    let told = [
      HeapField(name: "pair", offset: 16, size: 8, ownership: .weak), HeapField(name: "pair", offset: 24, size: 8),
    ]
    #expect(references(graph(from: [first], fields: { $0 == node ? told : nil })) == ["Node.pair → 0x1000300"])
  }

  @Test("A block with an impossible size has the size that its class states")
  func damagedSize() {
    let node = memory.addClass("Node", [("next", "SS")])
    memory.addObject(node, at: first, [second])
    memory.write(0xFFFF_FFFF_FFFF_FFF1, at: first - 8)
    memory.addObject(node, at: second, [0])
    let graph = graph(from: [first])
    #expect(graph.node(at: first).map(graph.size) == 24)
    #expect(references(graph) == ["Node.next → 0x1000200"])
  }

  @Test(
    "A number before a block that leads to no other block is not its size; the class states the size")
  func noBlock() {
    let node = memory.addClass("Node", [("next", "SS")])
    memory.addObject(node, at: first, [second])
    memory.addObject(node, at: second, [0])
    memory.write(0x111, at: second - 8)
    memory.write(third, at: second + 0x80)
    memory.addObject(node, at: third, [0])
    // The number leads into the third object, where there is no size.
    let graph = graph(from: [first, third])
    #expect(graph.node(at: second).map(graph.size) == 24)
    #expect(references(graph) == ["Node.next → 0x1000200"])
  }

  @Test("The search finds an object of this process and what it refers to")
  func ownProcess() throws {
    final class Link {
      var next: Link?
      var number = 7
    }
    let outer = Link(), inner = Link()
    outer.next = inner
    func address(_ object: Link) -> UInt64 { UInt64(UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())) }
    let graph = HeapScanner(HeapMemory(try ProcessCopy())).graph(from: [address(outer)])
    let from = try #require(graph.node(at: address(outer)))
    let to = try #require(graph.node(at: address(inner)))
    #expect(graph.type(of: from).name.hasSuffix(".Link"))
    #expect(graph.edges(from: from).map { graph.target(of: $0) } == [to])
    #expect(graph.property(of: graph.edges(from: from).lowerBound) == "next")
    withExtendedLifetime(outer) {}
  }
}
