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
  /// Whether an address precedes the characters, and nothing else.
  var isOneAddress: Bool { bytes.count - tail.utf8.count == 5 }

  init(bytes: Slice<UnsafeRawBufferPointer>, address: UInt64) {
    (self.bytes, self.address) = (bytes, address)
    var index = bytes.startIndex, start = index
    while index < bytes.endIndex {
      let width = FieldType.width(bytes[index])
      index += width
      if width > 1 { start = min(index, bytes.endIndex) }
    }
    tail = Substring(decoding: bytes[start...], as: UTF8.self)
  }

  /// From its byte `from` to the byte before `to`.
  func part(_ from: Int, _ to: Int) -> Self {
    Self(bytes: bytes[bytes.startIndex + from..<bytes.startIndex + to], address: address + UInt64(from))
  }
}
