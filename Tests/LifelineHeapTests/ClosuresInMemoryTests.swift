import Testing

@testable import LifelineHeap

/// Functions before words of plain memory.
@Suite struct ClosuresInMemoryTests {
  @Test("A function before a context in a buffer is that of a closure; in a task's frames it is where a caller resumes")
  func functions() {
    var builder = HeapGraphBuilder()
    let task = builder.addType(HeapType(kind: .task, name: "task"))
    let closure = builder.addType(HeapType(kind: .closure, name: "closure context"))
    builder.addNode(0x1000, size: 32, strongCount: 1)
    builder.addNode(0x2000, size: 32, type: closure, strongCount: 2)
    builder.addNode(0x3000, size: 32, strongCount: 1)
    builder.addNode(0x4000, size: 32, type: task, strongCount: 1)
    builder.addEdge(from: 0x1000, offset: 8, to: 0x2000)
    builder.addEdge(from: 0x1000, offset: 16, to: 0x3000)
    builder.addEdge(from: 0x3000, offset: 16, to: 0x2000)
    builder.addEdge(from: 0x4000, offset: 16, to: 0x3000)
    var graph = builder.graph()
    let edges = (0..<graph.count).flatMap { Array(graph.edges(from: $0)) }
    graph.addClosures(inMemory: Dictionary(uniqueKeysWithValues: edges.map { (UInt32($0), 0x5000) }))
    let found = edges.filter { graph.function(of: $0) != nil }
    #expect(found.map { graph.addresses[graph.source(of: $0)] } == [0x1000])
    #expect(found.map { graph.addresses[graph.target(of: $0)] } == [0x2000])
  }
}
