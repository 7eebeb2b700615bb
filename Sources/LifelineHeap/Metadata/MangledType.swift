/// A mangled type, or a part of one that is a type by itself (Mangling.rst of Swift).
struct MangledType {
  /// Without the zero at the end.
  let bytes: Slice<UnsafeRawBufferPointer>
  /// Of its first byte, since the addresses in it are relative.
  let address: UInt64

  /// From its byte `from` to the byte before `to`.
  func part(_ from: Int, _ to: Int) -> Self {
    Self(bytes: bytes[bytes.startIndex + from..<bytes.startIndex + to], address: address + UInt64(from))
  }
}
