/// Reads little-endian fields; after the first missing one, all are zero and `failed` is set.
struct RecordFieldReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0
  private(set) var failed = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func word32() -> UInt32 { UInt32(truncatingIfNeeded: number(4)) }
  mutating func word64() -> UInt64 { number(8) }

  private mutating func number(_ size: Int) -> UInt64 {
    guard !failed, bytes.count - position >= size else {
      failed = true
      return 0
    }
    var value: UInt64 = 0
    for index in 0..<size { value |= UInt64(bytes[position + index]) << (8 * UInt64(index)) }
    position += size
    return value
  }

  mutating func data() -> [UInt8] {
    let size = Int(word32())
    guard !failed, bytes.count - position >= size else {
      failed = true
      return []
    }
    defer { position += size }
    return Array(bytes[position..<position + size])
  }

  mutating func string() -> String { String(decoding: data(), as: UTF8.self) }
}
