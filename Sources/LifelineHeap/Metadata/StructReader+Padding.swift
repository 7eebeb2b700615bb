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
      let size = size(ofType: descriptor, &reader)
    else { return nil }
    // An optional value may be a byte longer.
    let whole = Self.wholeWords(ofSize: size) * 8
    guard whole < field.size else { return nil }
    let end = field.part(at: whole, size: field.size - whole, .number)
    return whole == 0 ? [end] : [field.part(at: 0, size: whole, .anything), end]
  }

  private mutating func size(ofType descriptor: UInt64, _ reader: inout MemoryReader) -> Int? {
    guard isOwn(descriptor), let name = TypeName.ofContext(descriptor, &reader), !TypeName.isOfToolchain(name),
      let metadata = metadata(of: descriptor, &reader), let witnesses = reader.word(at: metadata &- 8),
      let size = reader.word(at: witnesses &+ 64), 1...1 << 20 ~= size
    else { return nil }
    return Int(size)
  }
}
