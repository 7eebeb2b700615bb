/// Finds the words of a closure's context that hold a reference, with its ownership (`[unowned self]`, `[weak self]`),
/// and its end.
///
/// The context's metadata lists the types of the captures but not their offsets, which follow from the sizes of the
/// captures before them. From the first one of unknown size on, all captures count as references.
///
/// Layouts: HeapLocalVariableMetadata of swift/ABI/Metadata.h, CaptureDescriptor of swift/RemoteInspection/Records.h.
enum CaptureReader {
  private static let headerSize = 12
  /// Bytes of a context.
  private static let largest = 1 << 24

  /// The address of the mangled type of the only capture; nil if there are several, or generic arguments.
  static func only(_ descriptor: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    guard let (count, bindings) = counts(descriptor, &reader), count == 1, bindings == 0 else { return nil }
    return reader.relative(at: descriptor + UInt64(headerSize))
  }

  /// Whether a closure's context, by its metadata, has generic arguments.
  static func isGeneric(_ metadata: UInt64, _ reader: inout MemoryReader) -> Bool {
    reader.word(at: metadata &+ 16).flatMap { counts($0, &reader) }.map { $0.bindings > 0 } ?? false
  }

  /// The number of captures, and of the words before them with the generic arguments and their conformances.
  private static func counts(_ descriptor: UInt64, _ reader: inout MemoryReader) -> (captures: UInt64, bindings: Int)? {
    guard descriptor & 3 == 0, let captures = reader.half(at: descriptor), 1...1000 ~= captures,
      let bindings = reader.half(at: descriptor + 8), bindings <= 1000
    else { return nil }
    return (UInt64(captures), Int(bindings))
  }

  /// The captures and their parts that are one reference, ascending by offset, and where the last capture ends, 0 if
  /// unknown; `start` is the offset of what follows the header, 0 if the compiler did not know the first one's layout.
  static func layout(
    _ descriptor: UInt64, start: Int, _ structs: inout StructReader, _ reader: inout MemoryReader
  ) -> (references: [HeapField], end: Int) {
    guard let (count, bindings) = counts(descriptor, &reader), start >= 16 || start == 0 && bindings == 0,
      start & 7 == 0
    else { return ([], 0) }
    var fields: [HeapField] = []
    var offset = max(start, 16) + bindings * 8
    for index in 0..<count {
      // The isolation of a task's generic closure precedes its generic arguments, but is not in the list. Only the end
      // shows it.
      guard let type = reader.relative(at: descriptor + UInt64(headerSize) + index * 4),
        let value = MangledLayout.layout(at: type, &structs, &reader)
      else { return (bindings == 0 ? fields : [], 0) }
      offset = ValueLayout.aligned(offset, to: value.alignment)
      fields += value.references.map { $0.moved(by: offset) }
      offset += value.size
      guard offset <= largest else { return ([], 0) }
    }
    return (fields, offset)
  }
}
