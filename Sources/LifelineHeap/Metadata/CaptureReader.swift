/// Finds the words of a closure's context that hold a reference, with its ownership (`[unowned self]`, `[weak self]`),
/// and its end.
///
/// The context's metadata lists the types of the captures but not their offsets, which follow from the sizes of the
/// captures before them. From the first one of unknown size on, all captures count as references.
///
/// Layouts: HeapLocalVariableMetadata of swift/ABI/Metadata.h, CaptureDescriptor of swift/RemoteInspection/Records.h.
enum CaptureReader {
  private static let headerSize = 12

  /// The address of the mangled type of the only capture; nil if there are several.
  static func only(_ descriptor: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    count(descriptor, &reader) == 1 ? reader.relative(at: descriptor + UInt64(headerSize)) : nil
  }

  private static func count(_ descriptor: UInt64, _ reader: inout MemoryReader) -> UInt32? {
    guard descriptor & 3 == 0, let count = reader.half(at: descriptor), 1...1000 ~= count,
      // Generic arguments in the context would come before the captures.
      reader.half(at: descriptor + 8) == 0
    else { return nil }
    return count
  }

  /// The captures and their parts that are one reference, ascending by offset, and where the last capture ends, 0 if
  /// unknown; `start` is the offset of the first one.
  static func layout(
    _ descriptor: UInt64, start: Int, _ structs: inout StructReader, _ reader: inout MemoryReader
  ) -> (references: [HeapField], end: Int) {
    guard start >= 16, start & 7 == 0, let count = count(descriptor, &reader) else { return ([], 0) }
    var fields: [HeapField] = []
    var offset = start
    for index in 0..<UInt64(count) {
      guard let type = reader.relative(at: descriptor + UInt64(headerSize) + index * 4) else { return (fields, 0) }
      guard let value = CapturedValue(at: type, &structs, &reader) else { return (fields, 0) }
      offset = CapturedValue.aligned(offset, to: value.alignment)
      fields += value.references.map { $0.moved(by: offset) }
      offset += value.size
    }
    return (fields, offset)
  }
}
