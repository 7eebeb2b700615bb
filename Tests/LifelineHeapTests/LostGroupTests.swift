import LifelineHeap
import Testing

@Suite("Lost groups", .timeLimit(.minutes(60)))
struct LostGroupTests {
  private func groups(_ graph: HeapGraph) -> [LostGroup] { LostGroup.groups(in: graph) }

  @Test("A cycle and everything it keeps are one group")
  func cycle() throws {
    var heap = SyntheticHeap()
    heap.objects("abcdr")
    heap.edges("ab bc ca cd")
    heap.root(.global, "r")
    let graph = heap.graph
    let group = try #require(groups(graph).first)
    #expect(groups(graph).count == 1)
    #expect(graph.names(group.core) == "abc")
    #expect(graph.names(group.members) == "abcd")
    #expect(group.isCycle)
    let cycle = try #require(graph.cycle(through: graph.number("a"), within: Set(group.core)))
    #expect(graph.names(cycle.steps.map(\.node)) == "abca")
    #expect(cycle.steps.map { $0.edge.flatMap(graph.property) } == ["next", "next", "next", nil])
  }

  @Test("A reference is part of a cycle if its target leads back within the nodes")
  func isInCycle() throws {
    var heap = SyntheticHeap()
    heap.objects("abcd")
    heap.edges("ab bc ca cd")
    let graph = heap.graph
    func isInCycle(_ source: Character, _ target: Character, within names: String = "abcd") throws -> Bool {
      let edge = try #require(
        graph.edges(from: graph.number(source)).first { graph.target(of: $0) == graph.number(target) })
      return graph.isInCycle(edge, within: Set(names.map(graph.number)))
    }
    #expect(try isInCycle("a", "b") && isInCycle("c", "a") && !isInCycle("c", "d"))
    #expect(try !isInCycle("a", "b", within: "ab"))
  }

  @Test("Words in plain memory do not join two groups if the object's references are known without them")
  func leftOver() {
    for (count, groups) in [(1, ["abm", "xy"]), (2, ["abmxy"])] {
      var heap = SyntheticHeap()
      heap.objects("abx", strongCount: 1)
      heap.objects("y", strongCount: count)
      heap.memory("m")
      heap.edges("ab am xy yx")
      heap.edges("bm", offset: 24)
      heap.edges("ma my")
      #expect(self.groups(heap.graph).map { heap.graph.names($0.members) } == groups)
    }
  }

  @Test(
    "A word of an enum's earlier case is no reference if the object's are known without it",
    arguments: [(1, HeapField.Content.object, true), (2, .object, false), (1, .anything, false)])
  func earlierCase(_ count: Int, _ peer: HeapField.Content, _ isLeftOver: Bool) throws {
    let worker: UInt64 = 0x1000, node: UInt64 = 0x2000, other: UInt64 = 0x3000
    var heap = HeapGraphBuilder()
    let phase = HeapField(name: "phase", offset: 16, size: 16, content: .anything)
    let fields = [
      HeapField(name: "peer", offset: 16, size: 8, content: peer), HeapField(name: "owner", offset: 24, size: 8),
    ]
    let workers = heap.addType(HeapType(kind: .object, name: "App.Worker", isOwn: true, fields: [phase]))
    let nodes = heap.addType(HeapType(kind: .object, name: "App.Node", isOwn: true, fields: fields))
    heap.addNode(worker, size: 32, type: workers, strongCount: 1)
    heap.addNode(node, size: 32, type: nodes, strongCount: count)
    heap.addNode(other, size: 32, type: nodes, strongCount: 1)
    heap.addEdge(from: worker, offset: 24, to: node)
    heap.addEdge(from: node, offset: 16, to: other)
    heap.addEdge(from: node, offset: 24, to: worker)
    heap.addEdge(from: other, offset: 16, to: node)
    let graph = heap.graph()
    let group = try #require(groups(graph).first)
    #expect(group.leftOver.map(graph.property) == (isLeftOver ? ["phase"] : []))
    #expect(group.core == (isLeftOver ? [1, 2] : [0, 1, 2]) && group.members == [0, 1, 2])
    let owner = try #require(graph.edges(from: 1).first { graph.property(of: $0) == "owner" })
    #expect(EdgeCut([owner], of: group, in: graph).kept == (isLeftOver || count == 2 ? [1, 2] : []))
  }

  @Test("A capture whose type shows that it is one reference accounts for it", arguments: [true, false])
  func capture(_ isKnown: Bool) throws {
    let worker: UInt64 = 0x1000, node: UInt64 = 0x2000, context: UInt64 = 0x3000
    var heap = HeapGraphBuilder()
    let phase = HeapField(name: "phase", offset: 16, size: 16, content: .anything)
    let action = HeapField(name: "action", offset: 16, size: 16, content: .anything)
    let workers = heap.addType(HeapType(kind: .object, name: "App.Worker", isOwn: true, fields: [phase]))
    let nodes = heap.addType(HeapType(kind: .object, name: "App.Node", isOwn: true, fields: [action]))
    let captured = HeapField(name: "", offset: 16, size: 8, content: .object)
    let contexts = heap.addType(
      HeapType(kind: .closure, name: "(closure context)", fields: isKnown ? [captured] : []))
    heap.addNode(worker, size: 32, type: workers, strongCount: 1)
    heap.addNode(node, size: 32, type: nodes, strongCount: 1)
    heap.addNode(context, size: 32, type: contexts, strongCount: 1)
    heap.addEdge(from: worker, offset: 24, to: node)
    heap.addEdge(from: node, offset: 24, to: context, function: 0x4000)
    heap.addEdge(from: context, offset: 16, to: node)
    let graph = heap.graph()
    let leftOver = try #require(groups(graph).first).leftOver
    #expect(leftOver.map(graph.property) == (isKnown ? ["phase"] : []))
  }

  @Test("An object's own word in an enum is left over if another word is enough", arguments: [(1, true), (2, false)])
  func ownPayload(_ count: Int, _ isLeftOver: Bool) throws {
    let future: UInt64 = 0x1000, context: UInt64 = 0x2000
    var heap = HeapGraphBuilder()
    let fields = [
      HeapField(name: "value", offset: 16, size: 16, content: .anything),
      HeapField(name: "callback", offset: 32, size: 16, content: .anything),
    ]
    let futures = heap.addType(HeapType(kind: .object, name: "App.Future", isOwn: true, fields: fields))
    let closure = heap.addType(HeapType(kind: .closure, name: "(closure context)"))
    heap.addNode(future, size: 48, type: futures, strongCount: count)
    // Its capture is the context's last word, which by itself may be malloc's.
    heap.addNode(context, size: 24, type: closure, strongCount: 1)
    heap.addEdge(from: future, offset: 16, to: future)
    heap.addEdge(from: future, offset: 40, to: context, function: 0x4000)
    heap.addEdge(from: context, offset: 16, to: future)
    let graph = heap.graph()
    let group = try #require(groups(graph).first)
    #expect(group.leftOver.map(graph.property) == (isLeftOver ? ["value"] : []))
    #expect(group.core == [0, 1])
  }

  @Test("A cycle that a lost object keeps belongs to that object's group")
  func hanging() throws {
    var heap = SyntheticHeap()
    heap.objects("xab")
    heap.edges("xa ab ba")
    let graph = heap.graph
    let group = try #require(groups(graph).first)
    #expect(graph.names(group.core) == "x")
    #expect(graph.names(group.members) == "abx")
    #expect(!group.isCycle)
  }

  @Test("An object that refers to itself is a cycle")
  func own() throws {
    var heap = SyntheticHeap()
    heap.objects("a")
    heap.edges("aa")
    let group = try #require(groups(heap.graph).first)
    #expect(group.isCycle)
    #expect(group.core.count == 1)
  }

  @Test("Lost memory without an object of the program's own is not a leak")
  func memory() {
    var heap = SyntheticHeap()
    heap.memory("mn")
    heap.edges("mn nm")
    #expect(groups(heap.graph).isEmpty)
  }

  @Test("An object that two lost objects share belongs to the first")
  func shared() {
    var heap = SyntheticHeap()
    heap.objects("abs")
    heap.edges("as bs")
    let graph = heap.graph
    #expect(groups(graph).map { graph.names($0.members) } == ["as", "b"])
  }

  @Test("A ring of a hundred thousand objects is one group")
  func ring() throws {
    var builder = HeapGraphBuilder()
    let type = builder.addType(HeapType(kind: .object, name: "App.Node", isOwn: true))
    let count: UInt64 = 100_000
    for number in 0..<count {
      builder.addNode(0x10000 + number * 32, size: 32, type: type)
      builder.addEdge(from: 0x10000 + number * 32, offset: 16, to: 0x10000 + (number + 1) % count * 32)
    }
    let graph = builder.graph()
    let all = groups(graph)
    #expect(all.count == 1)
    #expect(all.first?.core.count == 100_000)
  }
}
