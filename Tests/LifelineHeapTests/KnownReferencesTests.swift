import LifelineHeap
import Testing

struct KnownReferencesTests {
  @Test("References to the nodes that were asked for are counted, and zero stands for the others")
  func counts() {
    var heap = SyntheticHeap()
    heap.objects("abcd")
    heap.edges("ab cb bc")
    heap.edges("da ca", offset: 24)
    let graph = heap.graph
    let asked = [graph.number("a"), graph.number("b")].map { UInt32($0) }
    let known = KnownReferences(graph, to: NodeSet(below: graph.count, asked))
    #expect("abcd".map { known[graph.number($0)] } == [2, 2, 0, 0])
  }

  @Test(
    "An object of a lost cycle is referred to elsewhere if its count is higher than the references in memory",
    arguments: [(1, false), (2, true)])
  func elsewhere(strongCount: Int, isReferred: Bool) {
    var heap = SyntheticHeap()
    heap.objects("ab", strongCount: strongCount)
    heap.edges("ab ba")
    let graph = heap.graph
    let known = KnownReferences(graph, to: LostGroup.groups(in: graph))
    #expect(graph.isReferredElsewhere(graph.number("a"), known: known) == isReferred)
  }
}
