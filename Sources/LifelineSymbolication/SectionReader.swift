/// Reads numbers from the bytes of a section, which may be cut off or hostile: past the end every number is zero.
struct SectionReader {
  let bytes: UnsafeRawBufferPointer
  private(set) var position: Int
  private(set) var end: Int
  /// Whether something was read that is not there.
  private(set) var isCutOff = false

  init(_ bytes: UnsafeRawBufferPointer, from position: UInt64 = 0) {
    self.bytes = bytes
    end = bytes.count
    self.position = Int(clamping: position)
    if self.position > end {
      self.position = end
      isCutOff = true
    }
  }

  var isAtEnd: Bool { position >= end }

  /// Reads no further than `count` bytes from here.
  mutating func limit(to count: UInt64) { end = min(end, position &+ Int(clamping: min(count, UInt64(end &- position)))) }

  mutating func move(to position: UInt64) {
    self.position = Int(clamping: min(position, UInt64(end)))
    if position > UInt64(end) { isCutOff = true }
  }

  mutating func skip(_ count: UInt64) {
    if count <= UInt64(end &- position) {
      position &+= Int(count)
    } else {
      position = end
      isCutOff = true
    }
  }

  @inline(__always)
  private mutating func load<Number: FixedWidthInteger>(_: Number.Type) -> Number {
    let size = MemoryLayout<Number>.size
    guard end &- position >= size else {
      position = end
      isCutOff = true
      return 0
    }
    defer { position &+= size }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Number.self))
  }

  mutating func byte() -> UInt8 { load(UInt8.self) }

  /// An unsigned number of 1, 2, 3, 4 or 8 bytes.
  @inline(__always)
  mutating func number(size: Int) -> UInt64 {
    switch size {
    case 1: UInt64(load(UInt8.self))
    case 2: UInt64(load(UInt16.self))
    case 3: UInt64(load(UInt16.self)) | UInt64(load(UInt8.self)) << 16
    case 4: UInt64(load(UInt32.self))
    case 8: load(UInt64.self)
    default: 0
    }
  }

  /// LEB128, DWARF 5 section 7.6; bits beyond 64 are dropped.
  @inline(__always)
  mutating func unsigned() -> UInt64 {
    let first = byte()
    if first < 0x80 { return UInt64(first) }
    return continued(UInt64(first & 0x7F)).value
  }

  mutating func signed() -> Int64 {
    let first = byte()
    if first < 0x80 { return Int64(Int8(truncatingIfNeeded: first << 1) >> 1) }
    let (value, bits, last) = continued(UInt64(first & 0x7F))
    let isNegative = last & 0x40 != 0 && bits < 64
    return Int64(bitPattern: isNegative ? value | ~0 << bits : value)
  }

  private mutating func continued(_ first: UInt64) -> (value: UInt64, bits: UInt64, last: UInt8) {
    var value = first
    var bits: UInt64 = 7
    while true {
      let next = byte()
      if bits < 64 { value |= UInt64(next & 0x7F) << bits }
      bits &+= 7
      if next < 0x80 { return (value, bits, next) }
    }
  }

  mutating func skipText() { while byte() != 0 {} }

  /// The zero-terminated text here, or nil when nothing ends it.
  mutating func text() -> UnsafePointer<CChar>? {
    let start = position
    skipText()
    guard !isCutOff, let base = bytes.baseAddress else { return nil }
    return (base + start).assumingMemoryBound(to: CChar.self)
  }
}
