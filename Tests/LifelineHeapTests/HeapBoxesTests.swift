import Testing

@testable import LifelineHeap

@Suite struct HeapBoxesTests {
  @Test("A box that only closure contexts refer to is a captured variable; one in a property is a value")
  func kinds() {
    var heap = HeapGraphBuilder()
    let object = heap.addType(HeapType(kind: .object, name: "App.View", isOwn: true))
    let closure = heap.addType(HeapType(kind: .closure, name: "(closure context)"))
    for (address, type) in [(1, object), (2, closure), (3, closure), (4, closure), (5, closure), (6, 0), (7, closure)] {
      heap.addNode(UInt64(address) * 0x100, size: 32, type: type)
    }
    // The view's closure 2 captured variable 3, which holds closure 2; 4 is a value in the view.
    heap.addEdge(from: 0x100, offset: 24, to: 0x200, function: 0x40)
    heap.addEdge(from: 0x200, offset: 16, to: 0x300)
    heap.addEdge(from: 0x300, offset: 24, to: 0x200, function: 0x40)
    heap.addEdge(from: 0x100, offset: 32, to: 0x400)
    // 5 and 7 are uncertain: plain memory refers to 5, and nothing to 7.
    heap.addEdge(from: 0x600, offset: 0, to: 0x500)
    heap.addEdge(from: 0x200, offset: 24, to: 0x500)
    let boxes = HeapBoxes(heap.graph())
    #expect(boxes.variables == [2])
    #expect(boxes.values == [3])
  }

  @Test("A word before a property that begins at the reference is no function of it: it is padding")
  func padding() throws {
    var heap = HeapGraphBuilder()
    let fields = [HeapField(name: "value", offset: 16, size: 16), HeapField(name: "loop", offset: 32, size: 16)]
    let object = heap.addType(HeapType(kind: .object, name: "App.View", isOwn: true, fields: fields))
    heap.addNode(0x100, size: 48, type: object)
    for offset in [24, 32, 40] { heap.addEdge(from: 0x100, offset: offset, to: 0x100, function: 0x40) }
    let graph = heap.graph()
    #expect(graph.edges(from: 0).map { graph.function(of: $0) } == [0x40, nil, 0x40])
  }

  @Test("A context's second word for what it holds with a function is left over, unless the count includes it")
  func leftOver() {
    func leftOver(count: Int) -> [Bool] {
      var heap = HeapGraphBuilder()
      let object = heap.addType(HeapType(kind: .object, name: "App.View", isOwn: true))
      let closure = heap.addType(HeapType(kind: .closure, name: "(closure context)"))
      heap.addNode(0x100, size: 32, type: object, strongCount: count)
      heap.addNode(0x200, size: 64, type: closure, strongCount: 1)
      // An optional closure has no value: its function is null, and the word of its context is as it was.
      heap.addEdge(from: 0x200, offset: 32, to: 0x100, function: 0x40)
      heap.addEdge(from: 0x200, offset: 48, to: 0x100)
      let graph = heap.graph()
      let boxes = HeapBoxes(graph)
      return graph.edges(from: 1).map { boxes.isLeftOver($0, in: graph) }
    }
    #expect(leftOver(count: 1) == [false, true])
    #expect(leftOver(count: 2) == [false, false])
  }
}
