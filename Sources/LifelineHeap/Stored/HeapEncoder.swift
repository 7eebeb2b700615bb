/// Numbers and texts as bytes: seven bits per byte, lowest first; the eighth bit means that more follow.
struct HeapEncoder: ~Copyable {
  private var bytes: [UInt8] = []
  /// The pending bytes; a store is cheaper than an array's `append`.
  private let staged: UnsafeMutablePointer<UInt8>
  private var stagedCount = 0

  private static let room = 4096, longestNumber = 10

  /// Unused space costs nothing, since it is never touched.
  init(reserving count: Int = 0) {
    bytes.reserveCapacity(count)
    staged = .allocate(capacity: Self.room)
  }

  deinit { staged.deallocate() }

  @inline(__always)
  mutating func add(_ value: UInt64) {
    if stagedCount > Self.room - Self.longestNumber { flush() }
    var rest = value
    while rest >= 0x80 {
      staged[stagedCount] = UInt8(truncatingIfNeeded: rest) | 0x80
      stagedCount += 1
      rest >>= 7
    }
    staged[stagedCount] = UInt8(truncatingIfNeeded: rest)
    stagedCount += 1
  }

  mutating func add(_ value: Int) { add(UInt64(bitPattern: Int64(value))) }
  /// A number that may be negative: the sign is the lowest bit.
  mutating func addSigned(_ value: Int) { add(UInt64(bitPattern: Int64(value << 1 ^ value >> 63))) }

  mutating func add(_ text: String) {
    add(text.utf8.count)
    flush()
    bytes += text.utf8
  }

  /// All that was added.
  mutating func finished() -> [UInt8] {
    flush()
    return bytes
  }

  private mutating func flush() {
    bytes.append(contentsOf: UnsafeBufferPointer(start: staged, count: stagedCount))
    stagedCount = 0
  }
}
