/// The size of a captured value of a single type, from its mangled type (Mangling.rst of Swift).
struct MangledCapture {
  let size: Int
  let alignment: Int
  let ownership: HeapField.Ownership
  /// Whether it refers to one object or to nothing, or is an object's address.
  let isReference: Bool
  /// An ObjectIdentifier, which is an address without a reference.
  let isIdentity: Bool

  /// Nil if the size is unknown.
  init?(_ type: MangledType, _ reader: inout MemoryReader) {
    let bytes = type.bytes
    guard let first = bytes.first else { return nil }
    // The characters after the last address.
    var tail: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let width = FieldType.width(bytes[index])
      tail = width == 1 ? tail + [bytes[index]] : []
      index += width
    }
    guard index == bytes.endIndex else { return nil }
    let length = bytes.count
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
        text, isWhole: tail.count == length, head: first, headOnly: length - tail.count == 5, at: type.address,
        &reader)
    if isReference {
      (size, alignment) = (8, 8)
    } else if ownership != .strong {
      return nil
    } else if text.hasSuffix("c") {
      (size, alignment) = (16, 8)
    } else if tail.count == length, let known = Self.sizes[String(text)] {
      (size, alignment) = (isOptional ? known.whenOptional : known.bytes, min(known.bytes, 8))
    } else {
      return nil
    }
  }

  private static let sizes: [String: (bytes: Int, whenOptional: Int)] = [
    "Si": (8, 9), "Su": (8, 9), "Sd": (8, 9), "SV": (8, 8), "Sv": (8, 8), "SS": (16, 16),
    "Sb": (1, 1), "Sf": (4, 5),
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
