/// Values of types that cannot be copied, for which the reflection metadata has a function instead of a type. On Linux
/// it returns the metadata of (), so that only the program's symbols tell the type.
extension StructReader {
  private static let function: UInt8 = 9
  private static let mutex = "Synchronization.Mutex<", optional = "Swift.Optional<"
  private static let collections = ["Swift.Array<", "Swift.Dictionary<", "Swift.Set<", "["]

  /// Nil for types that can be copied, and if the type has no name.
  mutating func uncopiedParts(
    of field: HeapField, _ type: UInt64, _ reader: inout MemoryReader, depth: Int
  ) -> [HeapField]? {
    guard let typeName, field.ownership == .strong, reader.bytes(at: type)?.first == Self.function,
      let name = typeName(type)
    else { return nil }
    if let value = Self.argument(of: name, Self.mutex) {
      return parts(ofMutex: field, of: value, &reader, depth: depth)
    }
    return parts(of: field, named: Self.argument(of: name, Self.optional) ?? name, &reader, depth: depth)
  }

  private static func argument(of name: String, _ generic: String) -> String? {
    name.hasPrefix(generic) && name.hasSuffix(">") ? String(name.dropFirst(generic.count).dropLast()) : nil
  }

  /// A mutex is a word of four bytes followed by its value, which is a variable even if the mutex is not.
  ///
  /// Without padding only a value without references follows.
  private mutating func parts(
    ofMutex field: HeapField, of value: String, _ reader: inout MemoryReader, depth: Int
  ) -> [HeapField]? {
    guard field.offset & 7 == 0, field.size >= 16 else { return nil }
    let isCollection = Self.collections.contains(where: value.hasPrefix)
    let inside = HeapField(
      name: field.name, offset: field.offset + 8, size: field.size - 8, content: .anything,
      clearing: value.hasPrefix(Self.optional) ? .byNil : isCollection ? .byEmptying : .unknown)
    let lock = HeapField(name: field.name, offset: field.offset, size: 8, content: .number)
    let name = Self.argument(of: value, Self.optional) ?? value
    if let parts = parts(of: inside, named: name, &reader, depth: depth) { return [lock] + parts }
    return [lock, inside.clearing == .byNil ? inside.cleared(.protectedByNil) : inside]
  }
}
