import LifelineHeap
import Testing

@Suite("Cutting an edge", .timeLimit(.minutes(60)))
struct EdgeCutTests {
  private func cut(_ heap: SyntheticHeap, _ from: Character, _ to: Character) throws -> (freed: String, kept: String) {
    let graph = heap.graph
    let group = try #require(LostGroup.groups(in: graph).first)
    let edge = try #require(graph.edges(from: graph.number(from)).first { graph.target(of: $0) == graph.number(to) })
    let cut = EdgeCut([edge], of: group, in: graph)
    return (graph.names(cut.freed), graph.names(cut.kept))
  }

  @Test("Cutting one edge of a simple cycle frees everything")
  func simple() throws {
    var heap = SyntheticHeap()
    heap.objects("abcd")
    heap.edges("ab bc ca cd")
    #expect(try cut(heap, "c", "a") == ("abcd", ""))
    #expect(try cut(heap, "c", "d") == ("d", "abc"))
  }

  @Test("What another lost group also holds is freed if those references do not count, but not before the group's own")
  func shared() throws {
    var heap = SyntheticHeap()
    heap.objects("abcd", strongCount: 1)
    heap.objects("s", strongCount: 3)
    heap.edges("ab ba cd dc")
    heap.edges("as bs cs", offset: 24)
    let graph = heap.graph
    let groups = LostGroup.groups(in: graph, HeapReachability(graph))
    let group = try #require(groups.first), node = graph.number("s")
    #expect(group.references(from: groups, in: graph, limit: 100) == [node: 1])
    #expect(group.references(from: groups, in: graph, limit: 1) == [:])
    let edges = graph.edges(from: graph.number("b")), cycle = edges.filter { graph.target(of: $0) != node }
    func kept(_ cut: [Int], elsewhere: [Int: Int]) -> String {
      graph.names(EdgeCut(Set(cut), elsewhere: elsewhere, of: group, in: graph).kept)
    }
    #expect(kept(cycle, elsewhere: [:]) == "s")
    #expect(kept(cycle, elsewhere: [node: 1]) == "")
    #expect(kept(edges.filter { graph.target(of: $0) == node }, elsewhere: [node: 3]) == "abs")
  }

  @Test("A waiting task is freed only when it ends; a finished task is freed with the references to it")
  func tasks() throws {
    for offset in [64, 72] {
      var heap = HeapGraphBuilder()
      let object = heap.addType(HeapType(kind: .object, name: "App.Poller", isOwn: true))
      heap.addNode(0x1000, size: 32, type: object, strongCount: 1)
      heap.addNode(0x2000, size: 128, type: heap.addType(HeapType(kind: .task)), strongCount: 1)
      heap.addNode(0x3000, size: 1016)
      heap.addEdge(from: 0x1000, offset: 16, to: 0x2000)
      heap.addEdge(from: 0x2000, offset: offset, to: 0x3000)
      heap.addEdge(from: 0x3000, offset: 48, to: 0x1000)
      let graph = heap.graph()
      let group = try #require(LostGroup.groups(in: graph).first)
      #expect(graph.isUnfinishedTask(1) == (offset == 64))
      let edge = try #require(graph.edges(from: 0).first)
      #expect(EdgeCut([edge], of: group, in: graph).kept == (offset == 64 ? [0, 1, 2] : []))
      #expect(EdgeCut([], ending: [1, 2], of: group, in: graph).freesAll)
    }
  }

  @Test("With two cycles through one object, only cutting their shared edge frees everything")
  func twoCycles() throws {
    var heap = SyntheticHeap()
    heap.objects("abc")
    heap.edges("ab ba")
    heap.edges("bc", offset: 24)
    heap.edges("ca", offset: 32)
    #expect(try cut(heap, "a", "b") == ("abc", ""))
    #expect(try cut(heap, "b", "a") == ("", "abc"))
  }

  @Test("A strong count that no edge accounts for keeps the object")
  func unbalanced() throws {
    var heap = SyntheticHeap()
    heap.objects("a", strongCount: 2)
    heap.objects("b", strongCount: 1)
    heap.edges("ab ba")
    #expect(try cut(heap, "b", "a") == ("", "ab"))
    #expect(try cut(heap, "a", "b") == ("b", "a"))
  }

  @Test("An object that another object of the group refers to stays, however many words of memory go")
  func words() throws {
    var heap = SyntheticHeap()
    heap.objects("ab", strongCount: 2)
    heap.memory("m")
    heap.edges("ab ba")
    heap.edges("ma mb")
    heap.edges("ma mb", offset: 24)
    let graph = heap.graph
    let group = try #require(LostGroup.groups(in: graph).first)
    let memory = graph.number("m")
    #expect(graph.names(EdgeCut([], ending: [memory], of: group, in: graph).kept) == "ab")
    let back = try #require(graph.edges(from: graph.number("b")).first)
    #expect(EdgeCut([back], ending: [memory], of: group, in: graph).freesAll)
  }
}
