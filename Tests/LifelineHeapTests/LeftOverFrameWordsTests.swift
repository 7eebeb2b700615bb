import Testing

@testable import LifelineHeap

/// A task waits that can be resumed; its frame refers to an object that also keeps itself through a closure.
@Suite("Words left over in tasks' frames", .timeLimit(.minutes(60)))
struct LeftOverFrameWordsTests {
  private static let task: UInt64 = 0x1000, frame: UInt64 = 0x2000, feed: UInt64 = 0x3000

  private func heap(count: Int, isReachable: Bool = true, isClosure: Bool = true) -> HeapGraph {
    var heap = HeapGraphBuilder()
    let task = heap.addType(HeapType(kind: .task, name: "(task)"))
    let feed = heap.addType(HeapType(kind: .object, name: "App.Feed", isOwn: true))
    heap.addNode(Self.task, size: 128, type: task, strongCount: 1)
    heap.addNode(Self.frame, size: 64)
    heap.addNode(Self.feed, size: 32, type: feed, strongCount: count)
    heap.addEdge(from: Self.task, offset: 64, to: Self.frame)
    heap.addEdge(from: Self.frame, offset: 24, to: Self.feed)
    heap.addEdge(from: Self.feed, offset: 24, to: Self.feed, function: isClosure ? 0x4000_0000 : nil)
    heap.addTask(Self.task, HeapTask(number: 2, functions: [0x4000_0010]))
    if isReachable { heap.addRoot(.global, to: Self.task) }
    return heap.graph()
  }

  @Test("A word in a frame keeps nothing if closures have as many references as the object's count")
  func leftOver() {
    var graph = heap(count: 1)
    let words = LeftOverFrameWords(graph)
    #expect(words.addresses == [Self.frame + 24])
    #expect(LostGroup.groups(in: graph).isEmpty)
    graph.remove(words.edges)
    #expect(LostGroup.groups(in: graph).map(\.core) == [[2]])
  }

  @Test("It may be an owner's if the count is higher, or if another word is not certain to be a reference")
  func owner() {
    #expect(LeftOverFrameWords(heap(count: 2)).edges.isEmpty)
    #expect(LeftOverFrameWords(heap(count: 1, isClosure: false)).edges.isEmpty)
  }

  @Test("What a task that nothing can resume holds is told as before")
  func lost() {
    #expect(LeftOverFrameWords(heap(count: 1, isReachable: false)).edges.isEmpty)
  }

  @Test("Of an array that a variable of an ended function had, a cycle of its elements is the leak")
  func stray() {
    var heap = HeapGraphBuilder()
    let array = heap.addType(HeapType(kind: .storage, name: "Swift._ContiguousArrayStorage<App.Node>"))
    let node = heap.addType(HeapType(kind: .object, name: "App.Node", isOwn: true))
    heap.addNode(0x1000, size: 48, type: array, strongCount: 1)
    for address in [0x2000, 0x3000] as [UInt64] { heap.addNode(address, size: 32, type: node, strongCount: 2) }
    heap.addEdge(from: 0x1000, offset: 32, to: 0x2000)
    heap.addEdge(from: 0x1000, offset: 40, to: 0x3000)
    heap.addEdge(from: 0x2000, offset: 16, to: 0x3000)
    heap.addEdge(from: 0x3000, offset: 16, to: 0x2000)
    let groups = LostGroup.groups(in: heap.graph())
    #expect(groups.map(\.core) == [[1, 2]] && groups.allSatisfy(\.isCycle))
  }
}
