/// Sizes of values from their types' metadata: what follows a value, up to the next one, is what was in the memory
/// before.
extension StructReader {
  /// The number of words at the start of a value that can hold a reference; what follows them is its last bytes, such
  /// as the tag of an enum, and padding. With four or more bytes left the word counts, because a packed structure of C
  /// may have half a pointer there.
  static func wholeWords(ofSize size: Int) -> Int { size & 7 < 4 ? size / 8 : (size + 7) / 8 }

  /// A value whose parts are not known, such as an enum's, and the end of it that holds no reference. Nil if there is
  /// no such end, and for types whose size is not known.
  mutating func withoutPadding(_ field: HeapField, _ type: UInt64, _ reader: inout MemoryReader) -> [HeapField]? {
    guard field.ownership == .strong, field.content == .anything, let descriptor = FieldType.context(at: type, &reader),
      let value = size(ofType: descriptor, &reader)
    else { return nil }
    // An optional value may be a byte longer.
    let whole = Self.wholeWords(ofSize: value.size) * 8
    guard whole < field.size else { return nil }
    let end = field.part(at: whole, size: field.size - whole, .number)
    return whole == 0 ? [end] : [field.part(at: 0, size: whole, .anything), end]
  }

  /// The size and the alignment, in bytes, of a captured value of a type of the program's own that is not generic,
  /// optional or not.
  mutating func layout(ofCaptured type: MangledType, _ reader: inout MemoryReader) -> (size: Int, alignment: Int)? {
    let isOptional = type.bytes.count == 7 && type.bytes.suffix(2).elementsEqual("Sg".utf8)
    guard type.bytes.count == 5 || isOptional, let kind = type.bytes.first,
      let descriptor = FieldType.context(kind, at: type.address + 1, &reader),
      let value = size(ofType: descriptor, &reader), let flags = reader.half(at: value.witnesses &+ 80)
    else { return nil }
    let alignment = Int(flags & 0xFF) + 1
    guard alignment & (alignment - 1) == 0, alignment <= 16 else { return nil }
    guard isOptional else { return (value.size, alignment) }
    // A value that is not optional has bit patterns of its own for nil, or an optional one has a byte after it.
    return reader.half(at: value.witnesses &+ 84).map { (value.size + ($0 == 0 ? 1 : 0), alignment) }
  }

  private mutating func size(
    ofType descriptor: UInt64, _ reader: inout MemoryReader
  ) -> (size: Int, witnesses: UInt64)? {
    guard isOwn(descriptor), let name = TypeName.ofContext(descriptor, &reader), !TypeName.isToolchains(name),
      let metadata = metadata(of: descriptor, &reader), let witnesses = reader.word(at: metadata &- 8),
      let size = reader.word(at: witnesses &+ 64), 1...1 << 20 ~= size
    else { return nil }
    return (Int(size), witnesses)
  }
}
