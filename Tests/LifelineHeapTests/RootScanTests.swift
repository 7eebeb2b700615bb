@testable import LifelineHeap
import Testing

@Suite("Roots", .timeLimit(.minutes(60)))
struct RootScanTests {
  /// Whether a word at an address keeps the object it points to, in the prepared memory.
  private func isKept(by address: UInt64, _ prepare: (SyntheticMemory) -> Void = { _ in }) -> Bool {
    let memory = SyntheticMemory(), heap = SyntheticMemory.heap, object = heap + 0x10
    prepare(memory)
    memory.addObject(memory.addClass("Node", [("next", "SS")]), at: object, [0])
    let top = object - 16 + 0x20
    memory.write(heap + UInt64(SyntheticMemory.size) - top | 1, at: top + 8)
    memory.write(object, at: address)
    return HeapScanner(HeapMemory(memory)).graph().roots.contains { $0.address == address }
  }

  @Test("Variables of the program and of libraries are roots; those of the recorder are not")
  func images() {
    #expect(isKept(by: SyntheticMemory.data + 8))
    #expect(isKept(by: SyntheticMemory.system + 8))
    #expect(!isKept(by: SyntheticMemory.recorder + 0x3000))
  }

  @Test("In a mapping that the recorder's zeroed data shares, only the recorder's part has no roots")
  func mergedMapping() {
    let headers = { (memory: SyntheticMemory) in
      memory.addProgramHeaders(at: SyntheticMemory.recorder, bytes: UInt64(SyntheticMemory.size) + 0x1800)
    }
    #expect(!isKept(by: SyntheticMemory.behindRecorder + 0x1FF8, headers))
    #expect(isKept(by: SyntheticMemory.behindRecorder + 0x2000, headers))
  }

  @Test("Memory after a recorder without readable program headers is not treated as the recorder's")
  func withoutHeaders() { #expect(isKept(by: SyntheticMemory.behindRecorder + 8)) }
}
