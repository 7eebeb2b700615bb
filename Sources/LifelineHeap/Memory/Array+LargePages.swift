import Glibc

// For arrays of all nodes. The kernel clears memory in less time as pages of 2 MiB (transparent huge pages), which many
// systems use only where they are asked for.
extension Array where Element: BitwiseCopyable {
  private static var page: Int { 2 << 20 }

  /// `count` equal elements.
  init(onLargePages element: Element, count: Int) {
    self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
      Self.advise(buffer.baseAddress, count)
      buffer.initialize(repeating: element)
      initialized = count
    }
  }

  /// Reserves memory for an empty array.
  mutating func reserveLargePages(_ capacity: Int) {
    reserveCapacity(capacity)
    withUnsafeMutableBufferPointer { Self.advise($0.baseAddress, capacity) }
  }

  /// Where there is no page of that size, the kernel gives small ones.
  private static func advise(_ start: UnsafeMutablePointer<Element>?, _ count: Int) {
    guard let start, count * MemoryLayout<Element>.stride >= 2 * page else { return }
    let first = (Int(bitPattern: start) + page - 1) & -page
    let end = (Int(bitPattern: start) + count * MemoryLayout<Element>.stride) & -page
    madvise(UnsafeMutableRawPointer(bitPattern: first), end - first, Int32(MADV_HUGEPAGE))
  }
}
