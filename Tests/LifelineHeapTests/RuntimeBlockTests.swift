import Testing

@testable import LifelineHeap

/// Memory of the runtime, of C and of asynchronous code, in which only some words are references.
struct RuntimeBlockTests {
  private let memory = SyntheticMemory()
  private let holder = SyntheticMemory.heap + 0x10, object = SyntheticMemory.heap + 0x410

  /// Two chunks, a holder of `size` bytes and an object after it, and then the top.
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
    "In a task's slab, only allocated words are references",
    arguments: [(word: 19, isHeld: true), (word: 20, isHeld: false)])
  func slab(word: Int, isHeld: Bool) throws {
    // 984 bytes, 128 of them in use: words 4 to 19.
    let graph = graph(1016, [0: SyntheticMemory.system + 0x100, 2: 128 << 32 | 984, word: object])
    #expect(try holds(graph) == isHeld)
  }

  @Test("A block may be 24 bytes larger than what the runtime requested, where malloc left too little to divide")
  func remainder() throws {
    let slab = [0: SyntheticMemory.system + 0x100, 2: UInt64(128) << 32 | (984 - 24), 20: object]
    #expect(try !holds(graph(1016, slab)))
    let entry = SyntheticMemory.system + 0x20
    memory.write(SyntheticMemory.data + 0x200, at: entry)
    memory.write(holder, at: entry + 8)
    #expect(try !holds(graph(40, [0: 4, 1: SyntheticMemory.data + 0x200, 2: object])))
  }

  @Test(
    "Nor is an unaligned pointer in a slab a reference beyond its allocated words",
    arguments: [(word: 18, isHeld: true), (word: 20, isHeld: false)])
  func unalignedInSlab(word: Int, isHeld: Bool) throws {
    memory.write(holder, at: SyntheticMemory.data + 0x40)
    memory.write(object, at: holder + UInt64(word) * 8 + 4)
    let graph = graph(1016, [0: SyntheticMemory.system + 0x100, 2: 128 << 32 | 984])
    let node = try #require(graph.node(at: object))
    #expect(graph.roots.contains { $0.target == node } == isHeld)
  }

  @Test(
    "A block with a wrong size, a wrong amount in use, or metadata is not a slab, and all its words count",
    arguments: [
      [2: 128 << 32 | 900], [2: 1000 << 32 | 984], [2: 136 << 32 | 984], [0: SyntheticMemory.heap + 0x100],
    ] as [[Int: UInt64]])
  func noSlab(_ change: [Int: UInt64]) throws {
    let slab = [0: SyntheticMemory.system + 0x100, 2: UInt64(128) << 32 | 984, 30: object]
    #expect(try holds(graph(1016, slab.merging(change) { $1 })))
  }

  @Test(
    "An address just before a task's slab, or of its end, is that of another block",
    arguments: [(-24, 128), (-8, 128), (1016, 128), (-24, 976), (-8, 976), (1016, 976)] as [(Int, UInt64)])
  func besideSlab(difference: Int, used: UInt64) throws {
    func isKept(capacity: UInt64) throws -> Bool {
      memory.write(UInt64(Int(holder) + difference), at: SyntheticMemory.data + 0x40)
      let graph = graph(1016, [0: SyntheticMemory.system + 0x100, 2: used << 32 | capacity, 5: object])
      return HeapReachability(graph).isReachable(try #require(graph.node(at: object)))
    }
    #expect(try !isKept(capacity: 984))
    // Otherwise it is C's memory, and may be an array that begins at 1 or is filled from its end.
    #expect(try isKept(capacity: 900))
  }

  @Test(
    "The name in the runtime's cache of types ends after its length",
    arguments: [(16, 1, false), (24, 1, true), (16, 2, false), (24, 2, true)] as [(UInt64, UInt64, Bool)])
  func typeName(length: UInt64, capacity: UInt64, isHeld: Bool) throws {
    let size: UInt64 = capacity == 1 ? 40 : 56
    let name = holder + size + 8, next = name + 16
    memory.write(1 << 32, at: SyntheticMemory.core + 0x20)
    memory.write(holder, at: SyntheticMemory.core + 0x28)
    memory.write(capacity == 1 ? 0x10 : 0, at: SyntheticMemory.core + 0x30)
    _ = graph(size, [0: 5 << 32 | capacity, 1: name, 2: length, 3: SyntheticMemory.system])
    memory.write(next - (name - 16) | 1, at: name - 8)
    memory.write(object - 16 - next | 1, at: next + 8)
    memory.write(object, at: name + 16)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let node = try #require(graph.node(at: name))
    #expect(graph.edges(from: node).isEmpty == !isHeld)
  }

  @Test(
    "In a C block that was copied to the heap, only its captures are references",
    arguments: [
      (word: 5, flags: 1 << 24, size: 48, isHeld: true), (word: 6, flags: 1 << 24, size: 48, isHeld: false),
      (word: 6, flags: 1 << 24, size: 56, isHeld: true), (word: 6, flags: 0, size: 48, isHeld: true),
      (word: 6, flags: 1 << 24, size: 64, isHeld: true), (word: 6, flags: 1 << 24, size: 24, isHeld: true),
    ] as [(Int, UInt64, UInt64, Bool)])
  func copiedBlock(word: Int, flags: UInt64, size: UInt64, isHeld: Bool) throws {
    let (code, descriptor) = (SyntheticMemory.system + 0x180, SyntheticMemory.system + 0x200)
    memory.write(size, at: descriptor + 8)
    let block = [0: SyntheticMemory.system + 0x100, 1: flags, 2: code, 3: descriptor, word: object]
    #expect(try holds(graph(56, block)) == isHeld)
  }

  @Test(
    "In what a queue is to run for a C block or a task, the last word is no reference",
    arguments: [
      (word: 7, flags: 0x114, code: SyntheticMemory.system + 0x180, isHeld: false),
      (word: 6, flags: 0x114, code: SyntheticMemory.system + 0x180, isHeld: true),
      (word: 7, flags: 0x114, code: SyntheticMemory.dispatch, isHeld: false),
      (word: 7, flags: 0x104, code: SyntheticMemory.concurrency, isHeld: false),
      (word: 7, flags: 0x104, code: SyntheticMemory.dispatch, isHeld: true),
      (word: 7, flags: 0x004, code: SyntheticMemory.concurrency, isHeld: true),
      (word: 7, flags: 0x114, code: SyntheticMemory.system + 0x190, isHeld: true),
      (word: 7, flags: 0x1114, code: SyntheticMemory.dispatch, isHeld: true),
    ] as [(Int, UInt64, UInt64, Bool)])
  func continuation(word: Int, flags: UInt64, code: UInt64, isHeld: Bool) throws {
    let block = SyntheticMemory.data + 0x300
    memory.write(1 << 24, at: block + 8)
    memory.write(SyntheticMemory.system + 0x180, at: block + 16)
    #expect(try holds(graph(72, [0: flags, 3: .max, 4: code, 5: block, word: object])) == isHeld)
  }

  @Test(
    "In the runtime's hash tables only elements are references; outside of the standard library the index must match",
    arguments: [
      (word: 13, variable: SyntheticMemory.core, index: 0, isHeld: true),
      (word: 14, variable: SyntheticMemory.core, index: 0, isHeld: false),
      (word: 14, variable: SyntheticMemory.system, index: 0, isHeld: true),
      (word: 13, variable: SyntheticMemory.system, index: 0xDB12_34C0_6958_A700, isHeld: true),
      (word: 14, variable: SyntheticMemory.system, index: 0xDB12_34C0_6958_A700, isHeld: false),
      (word: 14, variable: SyntheticMemory.data, index: 0xDB12_34C0_6958_A700, isHeld: false),
      (word: 14, variable: SyntheticMemory.system, index: 0xDB12_34C0_6958_A701, isHeld: true),
      (word: 14, variable: SyntheticMemory.system, index: 0xDB12_34C0_6958_A770, isHeld: true),
      (word: 14, variable: SyntheticMemory.system, index: 0xDB12_34C0_6958_AE00, isHeld: true),
    ] as [(Int, UInt64, UInt64, Bool)])
  func hashTable(word: Int, variable: UInt64, index: UInt64, isHeld: Bool) throws {
    memory.write(index, at: variable + 0x30)
    memory.write(13 << 32, at: variable + 0x20)
    memory.write(holder, at: variable + 0x28)
    #expect(try holds(graph(136, [0: 5 << 32 | 15, word: object])) == isHeld)
  }

  @Test(
    "A table of a generic type's instances has pointers; one in the standard library without an index may have others",
    arguments: [
      (SyntheticMemory.system, 0x1000, false), (SyntheticMemory.core, 0x1000, false), (SyntheticMemory.core, 0, true),
    ] as [(UInt64, UInt64, Bool)])
  func onlyInstance(variable: UInt64, index: UInt64, isHeld: Bool) throws {
    memory.write(1 << 32, at: variable + 0x20)
    memory.write(holder, at: variable + 0x28)
    memory.write(index, at: variable + 0x30)
    #expect(try holds(graph(24, [0: 5 << 32 | 1, 1: SyntheticMemory.system, 2: object])) == isHeld)
  }

  @Test(
    "The only element of a table in the standard library has at most three words", arguments: [(3, true), (4, false)])
  func onlyElement(word: Int, isHeld: Bool) throws {
    memory.write(1 << 32, at: SyntheticMemory.core + 0x20)
    memory.write(holder, at: SyntheticMemory.core + 0x28)
    #expect(try holds(graph(40, [0: 1, 1: SyntheticMemory.system, word: object])) == isHeld)
  }

  @Test(
    "The entry of a type's metadata has two words; the metadata's address is before the entry's, and in the entry",
    arguments: [(0, false), (8, true)] as [(UInt64, Bool)])
  func metadataEntry(difference: UInt64, isHeld: Bool) throws {
    let metadata = SyntheticMemory.data + 0x200
    memory.write(metadata, at: SyntheticMemory.system + 0x20)
    memory.write(holder, at: SyntheticMemory.system + 0x28)
    #expect(try holds(graph(24, [0: 4, 1: metadata + difference, 2: object])) == isHeld)
  }

  @Test("A thread's cache of free chunks refers to no block next to one of them")
  func threadCache() throws {
    let heap = SyntheticMemory.heap
    let cache = heap + 0x10, free = heap + 0x2A0, block = heap + 0x2D0
    memory.write(0x290 | 1, at: heap + 8)
    memory.write(0x30 | 1, at: free - 8)
    memory.write(0x40 | 1, at: block - 8)
    memory.write(0x100 | 1, at: heap + 0x308)
    memory.write(1 << 16, at: cache)
    memory.write(free, at: cache + 128 + 8)
    memory.write(free >> 12, at: free)
    memory.write(object, at: block)
    memory.addObject(memory.addClass("Node", [("number", "Si")]), at: object, [0])
    let top = object - 16 + 48
    memory.write(heap + 0x4000 - top | 1, at: top + 8)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let node = try #require(graph.node(at: block))
    #expect(graph.edges(from: node).map { graph.addresses[graph.target(of: $0)] } == [object])
    #expect(graph.node(at: free) == nil && graph.node(at: cache) == nil)
    #expect(graph.roots.isEmpty)
  }

  @Test("An asynchronous closure's function is found through its async function pointer")
  func asynchronous() throws {
    let handler = memory.addClass("Handler", [("load", "yyYac")], lastSize: 16)
    let code = SyntheticMemory.code + 0x40, description = SyntheticMemory.data + 0x80
    memory.write(UInt64(48) << 32 | (code &- description) & 0xFFFF_FFFF, at: description)
    let graph = graph(40, [0: handler, 1: 3, 2: description, 3: object])
    let edge = try #require(graph.node(at: holder).flatMap { graph.edges(from: $0).first })
    #expect(graph.function(of: edge) == code)
  }

  @Test("A C block that Swift made from a closure captures the closure; another C structure with code does not")
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

  @Test("The functions of a suspended task are those of its frames that are the program's own")
  func task() throws {
    let library = SyntheticMemory.system + 0x40, own = SyntheticMemory.code + 0x80
    let metadata = SyntheticMemory.data + 0x200
    memory.write(0x502, at: metadata)
    // The frame is in the second chunk, and begins with the caller's frame and its resume function.
    for (first, next, expected) in [(library, own, [own]), (own, library, [own]), (library, library, [])] {
      _ = graph(120, [0: metadata, 1: 3, 7: first, 8: object])
      memory.write(0, at: object)
      memory.write(next, at: object + 8)
      let graph = HeapScanner(HeapMemory(memory)).graph()
      #expect(graph.functions(ofTask: try #require(graph.node(at: holder))) == expected)
      #expect(graph.functions(ofTask: try #require(graph.node(at: object))) == [])
    }
  }

  /// A thread whose variables contain its number, and a list of two blocks with these counts.
  private func dispatchCache(thread: Int, counts: (UInt64, UInt64)) -> HeapGraph {
    let block = SyntheticMemory.data + 0x1000, next = holder + 0x200
    memory.write(77, at: block - 0x400)
    memory.write(holder, at: block - 0x400 + 24)
    _ = graph(504, [1: counts.0, 2: next, 5: object])
    memory.write(counts.1, at: next + 8)
    var process = HeapMemory(memory)
    process.threads = [StoppedThread(id: thread, name: "", stackPointer: 0, controlBlock: block, registers: [])]
    return HeapScanner(process).graph()
  }

  @Test("Blocks that libdispatch caches for reuse hold nothing if the thread and the counts in the list match")
  func dispatchCache() throws {
    #expect(try !holds(dispatchCache(thread: 77, counts: (2, 1))))
    #expect(try holds(dispatchCache(thread: 78, counts: (2, 1))))
    #expect(try holds(dispatchCache(thread: 77, counts: (3, 1))))
    #expect(try holds(dispatchCache(thread: 77, counts: (2, 2))))
  }

  @Test("Padding that malloc adds after an object of the program's own holds nothing")
  func beyond() throws {
    let node = memory.addClass("Wide", [("number", "Si")])
    #expect(try !holds(graph(72, [0: node, 1: 3, 3: object, 6: object])))
  }

  @Test("A standard library object may hold references after its properties, even if linked into the program")
  func linkedIn() throws {
    let storage = memory.addClass("Storage", [("number", "Si")], in: "Swift")
    #expect(try holds(graph(72, [0: storage, 1: 3, 6: object])))
  }

  @Test(
    "Of two tasks, the one with the higher number is younger, wherever they are in memory", arguments: [(7, 8), (9, 8)])
  func youngest(first: UInt64, second: UInt64) throws {
    let metadata = SyntheticMemory.data + 0x200
    memory.write(0x502, at: metadata)
    _ = graph(120, [0: metadata, 1: 3, 4: first << 32])
    // The second chunk grows to the size of a task, and the top follows it.
    memory.write(0x80 | 1, at: object - 8)
    for (index, word) in [metadata, 3, 0, 0, second << 32].enumerated() {
      memory.write(word, at: object + UInt64(index) * 8)
    }
    memory.write(SyntheticMemory.heap + 0x4000 - (object + 0x70) | 1, at: object + 0x78)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    let one = try #require(graph.node(at: holder)), other = try #require(graph.node(at: object))
    #expect(graph.youngestTask(of: [one, other]) == (first > second ? one : other))
  }
}
