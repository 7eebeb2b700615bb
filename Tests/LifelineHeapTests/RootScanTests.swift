@testable import LifelineHeap
import Testing

@Suite("Roots", .timeLimit(.minutes(60)))
struct RootScanTests {
  /// Whether a word at an address keeps the object that it leads to, in memory that has been prepared.
  private func isKept(by address: UInt64, _ prepare: (SyntheticMemory) -> Void = { _ in }) -> Bool {
    let memory = SyntheticMemory(), heap = SyntheticMemory.heap, object = heap + 0x10
    prepare(memory)
    memory.addObject(memory.addClass("Node", [("next", "SS")]), at: object, [0])
    let top = object - 16 + 0x20
    memory.write(heap + UInt64(SyntheticMemory.size) - top | 1, at: top + 8)
    memory.write(object, at: address)
    return HeapScanner(HeapMemory(memory)).graph().roots.contains { $0.address == address }
  }

  @Test("Variables of the program and of libraries keep what they refer to; those of the recorder do not")
  func images() {
    #expect(isKept(by: SyntheticMemory.data + 8))
    #expect(isKept(by: SyntheticMemory.system + 8))
    #expect(!isKept(by: SyntheticMemory.recorder + 0x3000))
  }

  @Test("Of one mapping of the recorder's zeroed data and what lies behind it, only the recorder's part keeps nothing")
  func mergedMapping() {
    let headers = { (memory: SyntheticMemory) in
      memory.addProgramHeaders(at: SyntheticMemory.recorder, bytes: UInt64(SyntheticMemory.size) + 0x1800)
    }
    #expect(!isKept(by: SyntheticMemory.behindRecorder + 0x1FF8, headers))
    #expect(isKept(by: SyntheticMemory.behindRecorder + 0x2000, headers))
  }

  @Test("What follows a recorder without readable program headers is not taken for its own")
  func withoutHeaders() { #expect(isKept(by: SyntheticMemory.behindRecorder + 8)) }
}
