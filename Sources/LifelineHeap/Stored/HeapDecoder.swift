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
