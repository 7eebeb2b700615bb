import Glibc
import Testing

@testable import LifelineHeap

/// Memory that was reserved and hardly touched, as sanitizers and databases do.
@Suite struct PageMapTests {
  @Test("Of a terabyte of reserved memory only the touched part is copied, where the kernel says which that is")
  func reserved() throws {
    let size = 1 << 40, place = size / 2 + 24
    let memory = try #require(
      mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS) | Int32(MAP_NORESERVE), -1, 0))
    try #require(memory != MAP_FAILED)
    defer { munmap(memory, size) }
    memory.storeBytes(of: 0x1234_5678_9ABC_DEF0, toByteOffset: place, as: UInt64.self)
    let address = UInt64(UInt(bitPattern: memory)) + UInt64(place)
    do {
      let copy = try ProcessCopy(process: Int(getpid()))
      var reader = MemoryReader(copy)
      #expect(reader.word(at: address) == 0x1234_5678_9ABC_DEF0)
      #expect(copy.byteCount < 1 << 34)
      #expect(copy.regions[try #require(copy.region(at: address))].addresses.count < 1 << 30)
    } catch let error as HeapError {
      // Before Linux 6.7.
      let start = String(UInt(bitPattern: memory), radix: 16)
      #expect(
        error.description == "the process has 1024 GiB at 0x\(start), and only Linux 6.7 and later say quickly "
          + "which of it is in use")
    }
  }
}
