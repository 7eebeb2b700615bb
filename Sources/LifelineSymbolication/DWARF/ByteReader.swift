import Glibc

/// Reads little-endian numbers from bytes that may end anywhere.
///
/// A read beyond the end returns 0, moves to the end and sets `isCutOff`, so that a loop over entries can check once.
struct ByteReader {
  private let base: UnsafeRawPointer
  let end: Int
  private(set) var position: Int
  private(set) var isCutOff = false

  /// `range` and all positions are relative to `base`.
  init(_ base: UnsafeRawPointer, _ range: Range<Int>) {
    self.base = base
    position = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { position >= end }

  @inline(__always)
  mutating func fixed<Number: FixedWidthInteger>(_: Number.Type) -> Number {
    guard end - position >= MemoryLayout<Number>.size else {
      cutOff()
      return 0
    }
    let value = base.loadUnaligned(fromByteOffset: position, as: Number.self)
    position += MemoryLayout<Number>.size
    return value
  }

  @inline(__always)
  mutating func byte() -> UInt8 { fixed(UInt8.self) }

  /// A number of 1 to 8 bytes.
  @inline(__always)
  mutating func number(size: Int) -> UInt64 {
    switch size {
    case 1: UInt64(byte())
    case 2: UInt64(fixed(UInt16.self))
    case 3: UInt64(fixed(UInt16.self)) | UInt64(byte()) << 16
    case 4: UInt64(fixed(UInt32.self))
    default: fixed(UInt64.self)
    }
  }

  /// An unsigned LEB128 (DWARF 5, 7.6); bits above the 64th are dropped.
  @inline(__always)
  mutating func unsigned() -> UInt64 {
    let first = byte()
    return first < 0x80 ? UInt64(first) : rest(of: first).value
  }

  /// A signed LEB128.
  @inline(__always)
  mutating func signed() -> Int64 {
    let first = byte()
    let (value, shift) = first < 0x80 ? (UInt64(first), UInt64(7)) : rest(of: first)
    guard shift < 64 else { return Int64(bitPattern: value) }
    return Int64(bitPattern: value << (64 - shift)) >> Int64(64 - shift)
  }

  private mutating func rest(of first: UInt8) -> (value: UInt64, bits: UInt64) {
    var value = UInt64(first & 0x7F)
    var shift: UInt64 = 7
    while true {
      let next = byte()
      if shift < 64 { value |= UInt64(next & 0x7F) << shift }
      shift += 7
      guard next >= 0x80 else { return (value, shift) }
    }
  }

  @inline(__always)
  mutating func skip(_ count: UInt64) {
    guard count <= UInt64(end - position) else { return cutOff() }
    position += Int(count)
  }

  /// Skips a string and its zero byte.
  mutating func skipString() {
    guard position < end, let zero = memchr(base + position, 0, end - position) else { return cutOff() }
    position = UnsafeRawPointer(zero) - base + 1
  }

  mutating func move(to target: UInt64) {
    guard target <= UInt64(end) else { return cutOff() }
    position = Int(target)
  }

  private mutating func cutOff() {
    position = end
    isCutOff = true
  }
}
