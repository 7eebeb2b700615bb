import Testing

@testable import LifelineHeap

/// The task of an `async let` is in its parent's memory: what it waits in is what its parent's task waits in.
@Suite("Children of async let", .timeLimit(.minutes(60)))
struct AwaitedChildTests {
  private let memory = SyntheticMemory()
  private let task = SyntheticMemory.heap + 0x10, slab = SyntheticMemory.heap + 0x90
  private let parentCode = SyntheticMemory.code + 0x10, childCode = SyntheticMemory.code + 0x20

  /// The functions in which a task waits whose slab has a child's task; the words are the child's parent and its
  /// waiting task.
  private func functions(parent: UInt64?, waiting: UInt64?, used: UInt64 = 512, flags: UInt64 = 0) throws -> [UInt64] {
    let heap = SyntheticMemory.heap, child = slab + 64
    let metadata = SyntheticMemory.data + 0x200
    memory.write(0x502, at: metadata)
    memory.write(0x81, at: heap + 8)
    for (word, value) in [metadata, 3, 0, 0, 7 << 32, 0, 0, parentCode, 0, slab].enumerated() {
      memory.write(value, at: task + UInt64(word) * 8)
    }
    memory.write(flags, at: task + 0x60)
    memory.write(0x401, at: heap + 0x88)
    memory.write(SyntheticMemory.system + 0x100, at: slab)
    memory.write(used << 32 | 984, at: slab + 16)
    memory.write(metadata, at: child)
    memory.write(childCode, at: child + 56)
    memory.write(parent ?? 0, at: child + 0xD0)
    memory.write(waiting ?? 0, at: child + 0xE0)
    memory.write(heap + 0x4000 - (slab + 0x400) | 1, at: slab + 0x3F8)
    let graph = HeapScanner(HeapMemory(memory)).graph()
    return graph.functions(ofTask: try #require(graph.node(at: task)))
  }

  @Test("What the child waits in comes before what its parent waits in")
  func awaited() throws { #expect(try functions(parent: task, waiting: task) == [childCode, parentCode]) }

  @Test("A child for which its parent does not wait, another's child, and what was there before do not count")
  func others() throws {
    #expect(try functions(parent: task, waiting: nil) == [parentCode])
    #expect(try functions(parent: task, waiting: task | 1) == [parentCode])
    #expect(try functions(parent: slab, waiting: task) == [parentCode])
    #expect(try functions(parent: task, waiting: task, used: 32) == [parentCode])
  }

  @Test("A task that has ended resumes nowhere")
  func ended() throws {
    #expect(try functions(parent: nil, waiting: nil, flags: 0x15) == [parentCode])
    #expect(try functions(parent: nil, waiting: nil, flags: 0x2015).isEmpty)
  }
}
