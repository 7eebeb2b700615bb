@testable import LifelineHeap
import Testing

@Suite("Code that threads run") struct RunningCodeTests {
  /// The code that a thread runs whose stack has a word that leads behind these bytes.
  private func code(behind bytes: [UInt8], register: Int? = nil) -> [UInt64] {
    let memory = SyntheticMemory()
    let address = SyntheticMemory.code + 0x100
    for (index, byte) in bytes.enumerated() {
      memory.write(byte: byte, at: address - UInt64(bytes.count - index))
    }
    let stack = SyntheticMemory.heap + 0x1000
    if register == nil { memory.write(address, at: stack + 0x20) }
    var process = HeapMemory(memory)
    process.threads = [
      StoppedThread(
        id: 71, name: "", stackPointer: stack, controlBlock: 0,
        registers: register.map { Array(repeating: 0, count: $0) + [address] } ?? [])
    ]
    let images = ImageMap(memory.regions, systemFolders: process.systemFolders, reader: MemoryReader(memory))
    return RunningCode(process, images).threads.flatMap { $0 }.map { $0 - SyntheticMemory.code }
  }

  @Test(
    "A word on a stack that leads behind a call is a return address",
    arguments: [
      [0xE8, 1, 2, 3, 4], [0xFF, 0xD0], [0x41, 0xFF, 0xD4], [0xFF, 0x50, 0x38], [0xFF, 0x15, 1, 2, 3, 4],
      [0xFF, 0x94, 0x24, 1, 2, 3, 4],
    ] as [[UInt8]])
  func call(_ bytes: [UInt8]) { #expect(code(behind: bytes) == [0x100]) }

  @Test(
    "A word on a stack that leads to anything else is not, such as the address of a function",
    arguments: [[], [0xC3], [0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90], [0xFF, 0xE0]] as [[UInt8]])
  func function(_ bytes: [UInt8]) { #expect(code(behind: bytes).isEmpty) }

  @Test("Of the registers, the instruction pointer has any address of code, and others a return address")
  func register() {
    #expect(code(behind: [0xC3], register: 16) == [0x100])
    #expect(code(behind: [0xC3], register: 12).isEmpty)
    #expect(code(behind: [0xFF, 0xD0], register: 12) == [0x100])
  }
}
