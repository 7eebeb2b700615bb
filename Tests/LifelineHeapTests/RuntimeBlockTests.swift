import Testing

@testable import LifelineHeap

/// Memory of the runtime, of C and of asynchronous code, of which only some words are references.
struct RuntimeBlockTests {
  private let memory = SyntheticMemory()
  private let holder = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x410

  /// Two chunks: a holder of `size` bytes, and an object behind it; then the top.
  private func graph(_ size: UInt64, _ words: [Int: UInt64]) -> HeapGraph {
    let heap = SyntheticMemory.heap
    let node = memory.addClass("Node", [("number", "Si")])
    memory.write(size + 8 | 1, at: heap + 8)
    for (index, word) in words { memory.write(word, at: holder + UInt64(index) * 8) }
    let filler = heap + size + 8
    if filler < object - 16 { memory.write(object - 16 - filler | 1, at: filler + 8) }
    memory.addObject(node, at: object, [0])
    let top = object - 16 + 48
    memory.write(heap + 0x4000 - top | 1, at: top + 8)
    return HeapScanner(HeapMemory(memory)).graph()
  }

  private func holds(_ graph: HeapGraph) throws -> Bool {
    let node = try #require(graph.node(at: holder)), target = try #require(graph.node(at: object))
    return graph.edges(from: node).contains { graph.target(of: $0) == target }
  }

  @Test(
    "Of a slab of a task only what is allocated holds something",
    arguments: [(word: 19, isHeld: true), (word: 20, isHeld: false)])
  func slab(word: Int, isHeld: Bool) throws {
    // 984 bytes, 128 of them in use: words 4 to 19.
    let graph = graph(1016, [0: SyntheticMemory.system + 0x100, 2: 128 << 32 | 984, word: object])
    #expect(try holds(graph) == isHeld)
  }

  @Test(
    "A block that is no slab holds what it leads to: another size, more in use than there is, or a class before it",
    arguments: [
      [2: 128 << 32 | 900], [2: 1000 << 32 | 984], [2: 136 << 32 | 984], [0: SyntheticMemory.heap + 0x100],
    ] as [[Int: UInt64]])
  func noSlab(_ change: [Int: UInt64]) throws {
    let slab = [0: SyntheticMemory.system + 0x100, 2: UInt64(128) << 32 | 984, 30: object]
    #expect(try holds(graph(1016, slab.merging(change) { $1 })))
  }

  @Test(
    "Of a hash table of the standard library's only its elements hold something, of another library's all words",
    arguments: [
      (word: 13, variable: SyntheticMemory.core, isHeld: true),
      (word: 14, variable: SyntheticMemory.core, isHeld: false),
      (word: 14, variable: SyntheticMemory.system, isHeld: true),
    ])
  func hashTable(word: Int, variable: UInt64, isHeld: Bool) throws {
    memory.write(13 << 32, at: variable + 0x20)
    memory.write(holder, at: variable + 0x28)
    #expect(try holds(graph(136, [0: 5 << 32 | 15, word: object])) == isHeld)
  }

  @Test("An asynchronous closure's function is the code that its description leads to")
  func asynchronous() throws {
    let handler = memory.addClass("Handler", [("load", "yyYac")])
    let code = SyntheticMemory.code + 0x40, description = SyntheticMemory.data + 0x80
    memory.write(UInt64(48) << 32 | (code &- description) & 0xFFFF_FFFF, at: description)
    let graph = graph(40, [0: handler, 1: 3, 2: description, 3: object])
    let edge = try #require(graph.node(at: holder).flatMap { graph.edges(from: $0).first })
    #expect(graph.function(of: edge) == code)
  }

  @Test("A block of C's that Swift made of a closure captures the closure; a structure of C's with code in it none")
  func block() throws {
    let code = SyntheticMemory.code + 0x40, descriptor = SyntheticMemory.data + 0x80
    memory.write(48, at: descriptor + 8)
    let block = [0: SyntheticMemory.system, 1: 0x0300_0000, 2: code, 3: descriptor, 4: code + 16, 5: object]
    func function(_ words: [Int: UInt64]) throws -> UInt64? {
      let graph = graph(56, words)
      let edge = try #require(graph.node(at: holder).flatMap { graph.edges(from: $0).last })
      #expect(graph.offset(of: edge) == 40)
      return graph.function(of: edge)
    }
    #expect(try function(block) == code + 16)
    #expect(try function(block.merging([3: 0]) { $1 }) == nil)
    #expect(try function(block.merging([2: 0]) { $1 }) == nil)
  }

  @Test("A suspended task goes on in those functions of its frames that are the program's own")
  func task() throws {
    let library = SyntheticMemory.system + 0x40, own = SyntheticMemory.code + 0x80
    let metadata = SyntheticMemory.data + 0x200
    memory.write(0x502, at: metadata)
    // The frame lies in the second chunk: it begins with the caller's frame and where that goes on.
    for (first, next, expected) in [(library, own, [own]), (own, library, [own]), (library, library, [])] {
      _ = graph(120, [0: metadata, 1: 3, 7: first, 8: object])
      memory.write(0, at: object)
      memory.write(next, at: object + 8)
      let graph = HeapScanner(HeapMemory(memory)).graph()
      #expect(graph.functions(ofTask: try #require(graph.node(at: holder))) == expected)
      #expect(graph.functions(ofTask: try #require(graph.node(at: object))) == [])
    }
  }
}
