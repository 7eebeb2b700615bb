/// The size of a captured value, or of the one in a box, and the references in it, from its mangled type.
///
/// A tuple's values follow each other: that of an enum's indirect case, or of a variable. Inside of one, types of
/// functions are not read.
struct CapturedValue {
  private(set) var size: Int
  private(set) var alignment: Int
  /// Parts that are a reference, an object's address or an existential, ascending.
  private(set) var references: [HeapField]

  /// Nil if the size is unknown.
  init?(at address: UInt64, _ structs: inout StructReader, _ reader: inout MemoryReader) {
    guard let type = reader.bytes(at: address)?.prefix(4000) else { return nil }
    // Addresses may contain zeros.
    var end = type.startIndex
    while end < type.endIndex, type[end] != 0 { end += FieldType.width(type[end]) }
    guard end > type.startIndex, end < type.endIndex else { return nil }
    let whole = MangledType(bytes: type[..<end], address: address)
    if let value = Self(whole, &structs, &reader) {
      self = value
    } else {
      guard let value = Self(tuple: whole, &structs, &reader) else { return nil }
      self = value
    }
  }

  /// A value that is no tuple.
  private init?(_ type: MangledType, _ structs: inout StructReader, _ reader: inout MemoryReader) {
    if let capture = MangledCapture(type, &reader) {
      (size, alignment) = (capture.size, capture.alignment)
      references =
        capture.content.map { content in
          let size = content == .existential ? capture.size : 8
          return [HeapField(name: "", offset: 0, size: size, ownership: capture.ownership, content: content)]
        } ?? []
    } else {
      guard let layout = structs.layout(ofCaptured: type, &reader) else { return nil }
      (size, alignment, references) = (layout.size, layout.alignment, [])
    }
  }

  private init(_ values: [Self]) {
    (size, alignment, references) = (0, 1, [])
    for value in values {
      let offset = Self.aligned(size, to: value.alignment)
      references += value.references.map { $0.moved(by: offset) }
      size = offset + value.size
      alignment = max(alignment, value.alignment)
    }
  }

  private init?(tuple type: MangledType, _ structs: inout StructReader, _ reader: inout MemoryReader) {
    guard let elements = MangledTuple(type)?.elements else { return nil }
    func value(_ element: MangledTuple.Element) -> Self? {
      switch element {
      case .type(let type): return Self(type, &structs, &reader)
      case .tuple(let elements):
        let values = elements.compactMap(value)
        return values.count == elements.count ? Self(values) : nil
      }
    }
    guard let whole = value(.tuple(elements)) else { return nil }
    self = whole
  }

  /// `alignment` is a power of two.
  static func aligned(_ offset: Int, to alignment: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }
}
