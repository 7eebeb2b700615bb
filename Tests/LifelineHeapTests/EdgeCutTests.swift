import LifelineHeap
import Testing

@Suite("Cutting an edge", .timeLimit(.minutes(60)))
struct EdgeCutTests {
  private func cut(_ heap: SyntheticHeap, _ from: Character, _ to: Character) throws -> (freed: String, kept: String) {
    let graph = heap.graph
    let group = try #require(LostGroup.groups(in: graph, HeapReachability(graph)).first)
    let edge = try #require(graph.edges(from: graph.number(from)).first { graph.target(of: $0) == graph.number(to) })
    let cut = EdgeCut([edge], of: group, in: graph)
    return (graph.names(cut.freed), graph.names(cut.kept))
  }

  @Test("One edge of a simple cycle frees all")
  func simple() throws {
    var heap = SyntheticHeap()
    heap.objects("abcd")
    heap.edges("ab bc ca cd")
    #expect(try cut(heap, "c", "a") == ("abcd", ""))
    #expect(try cut(heap, "c", "d") == ("d", "abc"))
  }

  @Test("With two cycles through one object, the edge that both share frees all, another does not")
  func twoCycles() throws {
    var heap = SyntheticHeap()
    heap.objects("abc")
    heap.edges("ab ba")
    heap.edges("bc", offset: 24)
    heap.edges("ca", offset: 32)
    #expect(try cut(heap, "a", "b") == ("abc", ""))
    #expect(try cut(heap, "b", "a") == ("", "abc"))
  }

  @Test("A count in the header that no edge accounts for keeps the object")
  func unbalanced() throws {
    var heap = SyntheticHeap()
    heap.objects("a", strongCount: 2)
    heap.objects("b", strongCount: 1)
    heap.edges("ab ba")
    #expect(try cut(heap, "b", "a") == ("", "ab"))
    #expect(try cut(heap, "a", "b") == ("b", "a"))
  }
}
