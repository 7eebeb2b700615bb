import LifelineHeap
import Testing

@Suite("Reachability", .timeLimit(.minutes(60)))
struct ReachabilityTests {
  @Test("Everything that a root leads to is reachable, and nothing else")
  func reachable() {
    var heap = SyntheticHeap()
    heap.objects("abcde")
    heap.edges("ab bc de")
    heap.root(.stack, "a")
    let graph = heap.graph
    let reachability = HeapReachability(graph)
    #expect(graph.names((0..<graph.count).filter(reachability.isReachable)) == "abc")
    #expect(reachability.reachableCount == 3)
    #expect(reachability.path(to: graph.number("e")) == nil)
  }

  @Test("The path to a node names the references along it, and prefers a global root to a stack")
  func path() throws {
    var heap = SyntheticHeap()
    heap.objects("abcd")
    heap.edges("ab bc")
    heap.edges("dc", offset: 24)
    heap.root(.stack, "d")
    heap.root(.global, "a")
    let graph = heap.graph
    let path = try #require(HeapReachability(graph).path(to: graph.number("c")))
    #expect(path.root?.kind == .global)
    #expect(graph.names(path.steps.map(\.node)) == "abc")
    #expect(path.steps.map { $0.edge.flatMap(graph.property) } == ["next", "next", nil])
  }

  @Test("A register begins a path only where no other root does", arguments: [true, false])
  func register(hasStack: Bool) throws {
    var heap = SyntheticHeap()
    heap.objects("abc")
    heap.edges("ab bc")
    heap.root(.register, "c")
    if hasStack { heap.root(.stack, "a") }
    let graph = heap.graph
    let path = try #require(HeapReachability(graph).path(to: graph.number("c")))
    #expect(path.root?.kind == (hasStack ? .stack : .register))
    #expect(graph.names(path.steps.map(\.node)) == (hasStack ? "abc" : "c"))
  }

  @Test("A path through objects is preferred to one through plain memory")
  func memory() throws {
    var heap = SyntheticHeap()
    heap.objects("abc")
    heap.memory("m")
    heap.edges("am mc")
    heap.edges("ab bc", offset: 24)
    heap.root(.global, "a")
    let graph = heap.graph
    let path = try #require(HeapReachability(graph).path(to: graph.number("c")))
    #expect(graph.names(path.steps.map(\.node)) == "abc")
  }

  @Test("An excluded root keeps nothing")
  func withoutRoots() {
    var heap = SyntheticHeap()
    heap.objects("ab")
    heap.root(.stack, "a")
    heap.root(.global, "b")
    let graph = heap.graph
    let reachability = HeapReachability(graph) { $0.kind == .stack }
    #expect(graph.names((0..<graph.count).filter(reachability.isReachable)) == "b")
  }
}
