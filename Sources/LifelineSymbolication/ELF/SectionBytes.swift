import Glibc
import SystemPackage

/// The bytes of one section, read from the file when they are first wanted.
///
/// Not a mapping of the file: one that shrinks meanwhile would be a SIGBUS. The memory is reserved for the whole
/// section, but only pages that were asked for are read and cost anything, so the size of a section does not matter.
///
/// Its properties skip the run-time exclusivity check, because every event or address passes through them.
final class SectionBytes {
  private static let pageSize = 4096
  /// Sections up to this size are read at once: many small reads cost more.
  private static let smallSize = 4 << 20
  /// Sections up to this size are in memory of the heap: a mapping takes three system calls, and a sanitizer does not
  /// see a read behind its end.
  private static let heapSize = 64 << 10

  let count: Int
  private let base: UnsafeMutableRawPointer?
  private let descriptor: FileDescriptor?
  private let offset: Int
  /// A bit for each page: whether it has been read.
  @exclusivity(unchecked) private var isRead: [UInt64]
  @exclusivity(unchecked) private var isWhole = false

  /// A section that is not there.
  init() {
    (count, base, descriptor, offset, isRead) = (0, nil, nil, 0, [])
  }

  /// `range` must lie within the file, which must stay open; nil when there is no room for it.
  init?(_ descriptor: FileDescriptor, _ range: Range<Int>) {
    let size = max(range.count, 1)
    let memory =
      size <= Self.heapSize
      ? malloc(size) : mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
    guard let memory, memory != MAP_FAILED else { return nil }
    self.descriptor = descriptor
    base = memory
    count = range.count
    offset = range.lowerBound
    isRead = Array(repeating: 0, count: range.count / Self.pageSize / 64 + 1)
  }

  /// Bytes that are in memory already, for as long as this object lives.
  init(decompressed bytes: UnsafeRawBufferPointer) {
    base = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
    count = bytes.count
    (descriptor, offset, isRead, isWhole) = (nil, 0, [], true)
  }

  deinit {
    guard descriptor != nil else { return }
    if isInHeap { free(base) } else { munmap(base, count) }
  }

  /// A reader of a part, whose positions count from the section's start; it ends early where the section or the file
  /// does.
  func reader(_ range: Range<Int>) -> ByteReader {
    let wanted = range.clamped(to: 0..<count)
    guard let base, !wanted.isEmpty else { return ByteReader(UnsafeRawPointer(bitPattern: 1)!, 0..<0) }
    return ByteReader(base, wanted.lowerBound..<readPages(of: wanted))
  }

  /// Reads something of unknown length: `body` sees `expected` bytes from `start` on, and more as long as it is cut
  /// off.
  func read<Result>(at start: Int, expected: Int, _ body: (inout ByteReader) -> Result) -> Result {
    var size = expected
    while true {
      var reader = reader(start..<start + min(size, max(0, count - start)))
      let result = body(&reader)
      guard reader.isCutOff, start >= 0, size < count - start else { return result }
      size *= 8
    }
  }

  /// A string that ends in a zero byte, without that; it lives as long as this object.
  func string(at start: UInt64) -> UnsafeBufferPointer<UInt8>? {
    guard let base, start < UInt64(count) else { return nil }
    let end = read(at: Int(start), expected: 1024) { reader in
      reader.skipString()
      return reader.isCutOff ? nil : reader.position
    }
    return end.map {
      UnsafeBufferPointer(
        start: UnsafeRawPointer(base + Int(start)).assumingMemoryBound(to: UInt8.self), count: $0 - 1 - Int(start))
    }
  }

  private var isInHeap: Bool { count <= Self.heapSize }

  /// The end of what could be read.
  private func readPages(of range: Range<Int>) -> Int {
    if isWhole { return range.upperBound }
    if count <= Self.smallSize {
      // One call instead of a fault for each page; kernels before 5.14 refuse, and fault.
      if !isInHeap { madvise(base, count, MADV_POPULATE_WRITE) }
      if fill(0..<count) == count {
        isWhole = true
        return range.upperBound
      }
    }
    let last = (range.upperBound - 1) / Self.pageSize
    var page = range.lowerBound / Self.pageSize
    while page <= last {
      if isRead[page >> 6] & 1 << UInt64(page & 63) != 0 {
        page += 1
        continue
      }
      var next = page + 1
      while next <= last, isRead[next >> 6] & 1 << UInt64(next & 63) == 0 { next += 1 }
      let start = page * Self.pageSize
      let end = min(next * Self.pageSize, count)
      let got = fill(start..<end)
      for done in page..<next where min((done + 1) * Self.pageSize, count) <= got {
        isRead[done >> 6] |= 1 << UInt64(done & 63)
      }
      if got < end { return max(range.lowerBound, min(got, range.upperBound)) }
      page = next
    }
    return range.upperBound
  }

  private func fill(_ range: Range<Int>) -> Int {
    var position = range.lowerBound
    while position < range.upperBound {
      let rest = UnsafeMutableRawBufferPointer(start: base! + position, count: range.upperBound - position)
      guard let got = try? descriptor?.read(fromAbsoluteOffset: Int64(offset + position), into: rest), got > 0 else {
        break
      }
      position += got
    }
    return position
  }
}
