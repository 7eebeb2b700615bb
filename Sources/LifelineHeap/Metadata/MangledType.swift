/// A mangled type, or a part of one that is a type by itself (Mangling.rst of Swift).
struct MangledType {
  /// Without the zero at the end.
  let bytes: Slice<UnsafeRawBufferPointer>
  /// Of its first byte, since the addresses in it are relative.
  let address: UInt64
  /// The characters after the last address, all if there is none.
  let tail: Substring
  /// Whether it has no addresses.
  var isPlain: Bool { tail.utf8.count == bytes.count }

  /// Nil if it is empty or nothing ends it.
  init?(at address: UInt64, _ reader: inout MemoryReader) {
    guard let type = reader.bytes(at: address)?.prefix(4000) else { return nil }
    // Addresses may contain zeros.
    var end = type.startIndex
    while end < type.endIndex, type[end] != 0 { end += FieldType.width(type[end]) }
    guard end > type.startIndex, end < type.endIndex else { return nil }
    self.init(bytes: type[..<end], address: address)
  }

  private init(bytes: Slice<UnsafeRawBufferPointer>, address: UInt64) {
    (self.bytes, self.address) = (bytes, address)
    var index = bytes.startIndex, start = index
    while index < bytes.endIndex {
      let width = FieldType.width(bytes[index])
      index += width
      if width > 1 { start = min(index, bytes.endIndex) }
    }
    tail = Substring(decoding: bytes[start...], as: UTF8.self)
  }
}
