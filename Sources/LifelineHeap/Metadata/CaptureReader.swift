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

  /// The captures that are one reference, ascending by offset, and where the last capture ends, 0 if unknown; `start`
  /// is the offset of the first one.
  static func layout(
    _ descriptor: UInt64, start: Int, _ structs: inout StructReader, _ reader: inout MemoryReader
  ) -> (references: [HeapField], end: Int) {
    guard start >= 16, start & 7 == 0, let count = count(descriptor, &reader) else { return ([], 0) }
    var fields: [HeapField] = []
    var offset = start
    for index in 0..<UInt64(count) {
      guard let type = reader.relative(at: descriptor + UInt64(headerSize) + index * 4) else { return (fields, 0) }
      guard let capture = MangledCapture(at: type, &reader) else {
        guard let layout = structs.layout(ofCaptured: type, &reader) else { return (fields, 0) }
        offset = aligned(offset, to: layout.alignment) + layout.size
        continue
      }
      offset = aligned(offset, to: capture.alignment)
      if capture.isReference {
        fields.append(
          HeapField(
            name: "", offset: offset, size: 8, ownership: capture.ownership,
            content: capture.isIdentity ? .word : .object))
      }
      offset += capture.size
    }
    return (fields, offset)
  }

  /// `alignment` is a power of two.
  private static func aligned(_ offset: Int, to alignment: Int) -> Int { (offset + alignment - 1) & ~(alignment - 1) }
}

/// The size of a captured value, from its mangled type (Mangling.rst of Swift).
private struct MangledCapture {
  let size: Int
  let ownership: HeapField.Ownership
  /// Whether it refers to one object or to nothing, or is an object's address.
  let isReference: Bool
  /// An ObjectIdentifier, which is an address without a reference.
  let isIdentity: Bool
  var alignment: Int { min(size, 8) }

  /// Nil if the size is unknown.
  init?(at address: UInt64, _ reader: inout MemoryReader) {
    guard let bytes = reader.bytes(at: address)?.prefix(4000), let first = bytes.first, first != 0 else { return nil }
    // The characters after the last address.
    var tail: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex, bytes[index] != 0 {
      let width = FieldType.width(bytes[index])
      tail = width == 1 ? tail + [bytes[index]] : []
      index += width
    }
    guard index < bytes.endIndex else { return nil }
    let length = index - bytes.startIndex
    var text = Substring(decoding: tail, as: UTF8.self)
    func cut(_ suffix: String) -> Bool {
      guard text.hasSuffix(suffix) else { return false }
      text.removeLast(suffix.count)
      return true
    }
    let declared: HeapField.Ownership =
      cut("Xo") ? .unowned : cut("Xw") ? .weak : cut("Xu") ? .unownedUnsafe : .strong
    let isOptional = cut("Sg")
    isIdentity = tail.count == length && text == "SO"
    ownership = isIdentity ? .unowned : declared
    isReference =
      isIdentity
      || Self.isReference(
        text, isWhole: tail.count == length, head: first, headOnly: length - tail.count == 5, at: address, &reader)
    if isReference {
      size = 8
    } else if ownership != .strong {
      return nil
    } else if text.hasSuffix("c") {
      size = 16
    } else if tail.count == length, let known = Self.sizes[String(text)], !isOptional || known.whenOptional {
      size = known.bytes
    } else {
      return nil
    }
  }

  private static let sizes: [String: (bytes: Int, whenOptional: Bool)] = [
    "Si": (8, false), "Su": (8, false), "Sd": (8, false), "SV": (8, true), "Sv": (8, true), "SS": (16, true),
    "Sb": (1, false), "Sf": (4, false),
  ]

  /// Whether it is one reference: a class, `AnyObject`, an array, a dictionary, a set, or the box of a variable.
  private static func isReference(
    _ text: Substring, isWhole: Bool, head: UInt8, headOnly: Bool, at address: UInt64, _ reader: inout MemoryReader
  ) -> Bool {
    if text.hasSuffix("Xb") { return true }
    if isWhole {
      let isCollection = ["Say", "SDy", "Shy"].contains { text.hasPrefix($0) } && text.hasSuffix("G")
      return text == "yXl" || text.hasSuffix("C") || isCollection
    }
    if head == 0x53 { return isCollection(at: address, &reader) && text.hasSuffix("G") }
    guard headOnly && text.isEmpty || text.hasSuffix("G"), head < 0x18,
      let context = FieldType.context(head, at: address + 1, &reader), let flags = reader.half(at: context)
    else { return false }
    return flags & 0x1F == ClassShape.classKind
  }

  private static func isCollection(at address: UInt64, _ reader: inout MemoryReader) -> Bool {
    guard let start = reader.bytes(at: address)?.prefix(3) else { return false }
    return ["Say", "SDy", "Shy"].contains { start.elementsEqual($0.utf8) }
  }
}
