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

/// Reads the output of `HeapEncoder`; after the first missing item, `failed` is set and everything is zero.
struct HeapDecoder {
  private let bytes: [UInt8]
  private var position = 0
  private(set) var failed = false

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  var rest: Int { bytes.count - position }

  mutating func number() -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while !failed {
      guard position < bytes.count, shift < 64 else {
        failed = true
        return 0
      }
      let byte = bytes[position]
      position += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return 0
  }

  /// A number below a limit.
  mutating func number(below limit: Int) -> Int {
    let value = number()
    guard value < UInt64(max(limit, 0)) else {
      failed = true
      return 0
    }
    return Int(value)
  }

  /// A count of items that follow, each at least one byte.
  mutating func count() -> Int { number(below: rest + 1) }

  mutating func signed() -> Int {
    let value = number()
    return Int(bitPattern: UInt(value >> 1)) ^ -Int(value & 1)
  }

  mutating func text() -> String {
    let size = count()
    guard !failed, size <= rest else {
      failed = true
      return ""
    }
    defer { position += size }
    return String(decoding: bytes[position..<position + size], as: UTF8.self)
  }
}
