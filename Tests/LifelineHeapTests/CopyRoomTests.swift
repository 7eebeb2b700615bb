import Glibc
import Testing

@testable import LifelineHeap

@Suite struct CopyRoomTests {
  /// Memory of this process with a number in each page, between pages that keep it a region of its own.
  private func withMemory(_ size: Int, _ body: (Range<UInt64>) throws -> Void) rethrows {
    let whole = mmap(nil, size + 2 * 4096, PROT_NONE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)!
    defer { munmap(whole, size + 2 * 4096) }
    let memory = whole + 4096
    mprotect(memory, size, PROT_READ | PROT_WRITE)
    for page in 0..<size / 4096 { memory.storeBytes(of: page + 1, toByteOffset: page * 4096, as: Int.self) }
    let start = UInt64(UInt(bitPattern: memory))
    try body(start..<start + UInt64(size))
  }

  private func pages(of range: Range<UInt64>, in copy: ProcessCopy) throws -> [Int] {
    let index = try #require(copy.regions.firstIndex { $0.addresses.contains(range.lowerBound) })
    let bytes = try #require(copy.bytes(ofRegion: index))
    let offset = Int(range.lowerBound - copy.regions[index].addresses.lowerBound)
    return stride(from: 0, to: range.count, by: 4096).map { bytes.load(fromByteOffset: offset + $0, as: Int.self) }
  }

  @Test("A copy into memory that was provided before equals one without")
  func same() throws {
    try withMemory(8 << 20) { range in
      let room = CopyRoom(for: Int(getpid()))
      let copy = try ProcessCopy(process: Int(getpid()), into: room)
      let region = try #require(copy.regions.first { $0.addresses.contains(range.lowerBound) })
      #expect(room.take(region.addresses) == nil, "it was used")
      #expect(try pages(of: range, in: copy) == Array(1...2048))
      #expect(try pages(of: range, in: ProcessCopy(process: Int(getpid()))) == Array(1...2048))
    }
  }

  @Test("A region that has grown fits if it grew by less than 64 MiB; other regions have no room")
  func growth() throws {
    try withMemory(2 << 20) { range in
      let region = try #require(
        ProcessMaps.regions(of: Int(getpid())).first { $0.addresses.contains(range.lowerBound) }
      ).addresses
      let room = CopyRoom(for: Int(getpid()))
      #expect(room.take(region.lowerBound..<region.upperBound + 64 << 20 + 4096) == nil)
      #expect(room.take(region.lowerBound + 4096..<region.upperBound) == nil)
      #expect(room.take(region.lowerBound..<region.upperBound + 64 << 20)?.size == region.count + 64 << 20)
    }
  }
}
