@testable import LifelineHeap
import Testing

/// Memory of a main thread, and a mapping with a stack after an unreadable page.
private final class StackMemory: MemorySource {
  static let main: UInt64 = 0x10_0000, guardPage: UInt64 = 0x20_0000, stack: UInt64 = 0x20_1000, end: UInt64 = 0x22_0000
  /// Offset of a thread's number in its control block.
  static let number: UInt64 = 0x2D0
  let regions = [
    MemoryRegion(addresses: main..<main + 0x4000),
    MemoryRegion(addresses: guardPage..<stack, isReadable: false, isWritable: false),
    MemoryRegion(addresses: stack..<end),
  ]
  private let memory: [UnsafeMutableRawPointer]

  init() {
    memory = regions.map { .allocate(byteCount: $0.addresses.count, alignment: 16) }
    for (bytes, region) in zip(memory, regions) {
      bytes.initializeMemory(as: UInt8.self, repeating: 0, count: region.addresses.count)
    }
  }

  deinit { for bytes in memory { bytes.deallocate() } }

  func bytes(ofRegion index: Int) -> UnsafeRawPointer? {
    regions[index].isReadable ? UnsafeRawPointer(memory[index]) : nil
  }

  func write(_ word: UInt64, at address: UInt64) {
    let index = region(at: address)!
    memory[index].storeBytes(
      of: word, toByteOffset: Int(address - regions[index].addresses.lowerBound), as: UInt64.self)
  }

  /// glibc's struct pthread: its own address twice, the thread's number, and the start of its stack.
  func addControlBlock(_ block: UInt64, number: UInt64, stack: UInt64, hasEnded: Bool = false) {
    write(block, at: block)
    write(block, at: block + 16)
    write(number, at: block + Self.number)
    write(hasEnded ? 0x30 : 0, at: block + Self.number + 56)
    write(stack, at: block + 0x690)
  }
}

@Suite("Stacks", .timeLimit(.minutes(60)))
struct ThreadStackTests {
  private let memory = StackMemory()
  private let block = StackMemory.stack + 0x1_C000
  private let pointer = StackMemory.stack + 0x8000

  private func thread(_ id: Int, pointer: UInt64, controlBlock: UInt64) -> StoppedThread {
    StoppedThread(id: id, name: "", stackPointer: pointer, controlBlock: controlBlock, registers: [])
  }

  /// The live part of the stack's mapping; nil for all of it.
  private func livingPart(_ threads: [StoppedThread]) -> [Range<UInt64>]? {
    var process = HeapMemory(memory)
    memory.addControlBlock(StackMemory.main, number: 70, stack: 0)
    process.threads = [thread(70, pointer: StackMemory.main + 0x2000, controlBlock: StackMemory.main)] + threads
    return ThreadStacks(process).livingParts(of: 2)
  }

  @Test("If the system allocated a thread's stack, nothing below the stack pointer is live")
  func systems() {
    memory.addControlBlock(block, number: 77, stack: StackMemory.guardPage)
    #expect(livingPart([thread(77, pointer: pointer, controlBlock: block)]) == [pointer - 128..<StackMemory.end])
  }

  @Test("A stack that the program allocated, or that a coroutine runs on, may have live data below the stack pointer")
  func programs() {
    memory.addControlBlock(block, number: 77, stack: StackMemory.stack + 0x4000)
    #expect(livingPart([thread(77, pointer: pointer, controlBlock: block)]) == nil)
    #expect(livingPart([thread(77, pointer: pointer, controlBlock: StackMemory.main + 0x1000)]) == nil)
  }

  @Test("In the stack of a thread that has ended, only what follows the control block is live")
  func ended() {
    memory.addControlBlock(block, number: 0, stack: StackMemory.guardPage, hasEnded: true)
    #expect(livingPart([]) == [block + 0x1000..<StackMemory.end])
    memory.addControlBlock(block, number: 0, stack: StackMemory.guardPage, hasEnded: false)
    #expect(livingPart([]) == [block..<StackMemory.end])
    memory.addControlBlock(block, number: 0, stack: StackMemory.stack, hasEnded: true)
    #expect(livingPart([]) == nil)
  }
}
