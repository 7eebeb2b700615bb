/// How many words of a value of a protocol type, or of `Any`, are in use.
///
///   ┌──────────────────┬──────────┬───────────────────┐
///   │ buffer, 3 words  │ metadata │ witness tables …  │
///   └──────────────────┴──────────┴───────────────────┘
///
/// A value that fits is in the buffer, a larger one in a box that the first word points to; the words after it are left
/// over from earlier contents (ValueWitnessTable in swift/ABI/Metadata.h).
struct ExistentialReader {
  /// Bytes without witness tables.
  static let size = 32
  static let buffer = 3
  private static let kind: UInt64 = 0x303
  private var reader: MemoryReader
  private var known: [UInt64: Int] = [0: 0]

  init(_ source: any MemorySource) { reader = MemoryReader(source) }

  /// Whether metadata is that of a protocol type whose values may also be structs.
  static func isExistential(_ metadata: UInt64, _ reader: inout MemoryReader) -> Bool {
    guard reader.word(at: metadata) == kind, let flags = reader.half(at: metadata + 8) else { return false }
    let isForAll = flags & 0x8000_0000 != 0, special = flags >> 24 & 0x3F
    return isForAll && special == 0
  }

  /// The number of buffer words of a value with this metadata; all if that is unreadable.
  mutating func words(of metadata: UInt64) -> Int {
    if let words = known[metadata] { return words }
    let words = read(metadata) ?? Self.buffer
    known[metadata] = words
    return words
  }

  private mutating func read(_ metadata: UInt64) -> Int? {
    guard metadata & 7 == 0, metadata >= 4096, let witnesses = reader.word(at: metadata &- 8),
      let size = reader.word(at: witnesses &+ 64), let flags = reader.half(at: witnesses &+ 80)
    else { return nil }
    let isInBuffer = flags & 0x2_0000 == 0
    guard isInBuffer else { return 1 }
    return size <= 24 ? Int(size + 7) / 8 : nil
  }
}
