import Testing

@testable import LifelineHeap

/// When an asynchronous main function has returned, what is left over in its task and in its slabs keeps nothing.
@Suite("The main function's return", .timeLimit(.minutes(60)))
struct MainReturnTests {
  private let memory = SyntheticMemory()
  private let task = SyntheticMemory.heap + 0x10, slab = SyntheticMemory.heap + 0x90
  private let object = SyntheticMemory.heap + 0x490, other = SyntheticMemory.heap + 0x4B0
  private let stack = SyntheticMemory.system + 0x800
  private let slabHeader: UInt64 = 128 << 32 | 984

  /// A task with a slab; it refers to one object in its own frame, and to another one in the slab.
  private func reached(number: UInt64, running: UInt64?, hasReturned: Bool = true) throws -> [Bool] {
    let heap = SyntheticMemory.heap
    let node = memory.addClass("Node", [("number", "Si")])
    let metadata = SyntheticMemory.data + 0x200
    memory.write(0x502, at: metadata)
    memory.write(0x81, at: heap + 8)
    for (word, value) in [metadata, 3, 0, 0, number << 32, 0, 0, 0, object, slab].enumerated() {
      memory.write(value, at: task + UInt64(word) * 8)
    }
    memory.write(0x401, at: heap + 0x88)
    memory.write(SyntheticMemory.system + 0x100, at: slab)
    memory.write(slabHeader, at: slab + 16)
    memory.write(other, at: slab + 48)
    memory.addObject(node, at: object, [0])
    memory.addObject(node, at: other, [0])
    memory.write(heap + 0x4000 - (other + 16) | 1, at: other + 24)
    memory.write(running ?? 0, at: stack + 64)
    // Whatever runs the task refers to it.
    memory.write(task, at: SyntheticMemory.core + 0x40)
    var process = HeapMemory(memory)
    process.recorder.exitFrame = stack
    if hasReturned { process.returnFromMain() }
    let graph = HeapScanner(process).graph()
    let reachable = HeapReachability(graph)
    return try [object, other].map { reachable.isReachable(try #require(graph.node(at: $0))) }
  }

  @Test("Its task keeps neither what its frame in the task refers to, nor what its slab does")
  func returned() throws { #expect(try reached(number: 1, running: task) == [false, false]) }

  @Test("Until then it keeps both")
  func running() throws { #expect(try reached(number: 1, running: task, hasReturned: false) == [true, true]) }

  @Test("A task that is not the first, or does not run on the thread that called exit, keeps what it has")
  func others() throws {
    #expect(try reached(number: 2, running: task) == [true, true])
    #expect(try reached(number: 1, running: nil) == [true, true])
  }
}
