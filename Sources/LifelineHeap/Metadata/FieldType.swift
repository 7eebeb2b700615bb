/// The facts in the mangled type of a stored property: how it refers to objects, and to what (Mangling.rst of Swift).
struct FieldType {
  let ownership: HeapField.Ownership
  let content: HeapField.Content
  let clearing: HeapField.Clearing

  /// `address` is that of the mangled type, `size` the size of the property in bytes; `isLazy` means that the type is
  /// an optional of the declared one.
  init(at address: UInt64, size: Int, isLazy: Bool, _ reader: inout MemoryReader) {
    guard var bytes = reader.bytes(at: address)?.prefix(4000) else {
      (ownership, content, clearing) = (.strong, .anything, .unknown)
      return
    }
    let last = Self.end(of: &bytes)
    let declared: HeapField.Ownership =
      switch last {
      case "Xw": .weak
      case "Xo": .unowned
      case "Xu": .unownedUnsafe
      default: .strong
      }
    if declared != .strong { bytes = bytes.dropLast(2) }
    if Self.identities.contains(where: { bytes.elementsEqual($0.utf8) }) {
      (ownership, content, clearing) = (.unowned, .word, .unknown)
      return
    }
    ownership = declared
    content = Self.content(bytes[...], address, size, &reader)
    if isLazy, last == "Sg" { bytes = bytes.dropLast(2) }
    let end = Self.end(of: &bytes)
    clearing = Self.clearing(bytes, end: end, content)
  }

  /// ObjectIdentifier, optional or not: an object's address, which does not keep it.
  private static let identities = ["SO", "SOSg"]

  /// Array, Dictionary and Set.
  private static let collections = ["Say", "SDy", "Shy"]

  private static func clearing(
    _ type: UnsafeRawBufferPointer.SubSequence, end: String, _ content: HeapField.Content
  ) -> HeapField.Clearing {
    if end == "Sg" { return .byNil }
    if end.last == "G", collections.contains(where: { type.starts(with: $0.utf8) }) { return .byEmptying }
    // Function types end in "c".
    return content == .object || end.last == "c" ? .never : .unknown
  }

  /// Cuts the bytes at the end of the type; returns its last two characters, fewer after an address.
  private static func end(of bytes: inout UnsafeRawBufferPointer.SubSequence) -> String {
    var index = bytes.startIndex
    var last: [UInt8] = []
    while index < bytes.endIndex, bytes[index] != 0 {
      let width = width(bytes[index])
      last = width == 1 ? last.suffix(1) + [bytes[index]] : []
      index += width
    }
    bytes = bytes.prefix(upTo: min(index, bytes.endIndex))
    return String(decoding: last, as: UTF8.self)
  }

  /// Addresses in types take four or eight bytes.
  static func width(_ byte: UInt8) -> Int { byte >= 0x20 ? 1 : byte < 0x18 ? 5 : 9 }

  /// Int, UInt, Double and raw pointers.
  private static let words = ["Si", "Su", "Sd", "SV", "Sv"]
  /// Those that have no bits to spare for nil.
  private static let optionalWords = ["SiSg", "SuSg", "SdSg"]
  /// Bool and Float.
  private static let smallNumbers = [(type: "Sb", size: 1), (type: "Sf", size: 4)]

  /// Sizes in bytes of the numbers of the standard library that have no mangling of their own.
  private static let sizes = [
    "Swift.Int8": 1, "Swift.UInt8": 1, "Swift.Int16": 2, "Swift.UInt16": 2, "Swift.Int32": 4, "Swift.UInt32": 4,
    "Swift.Int64": 8, "Swift.UInt64": 8,
  ]
  /// Numbers that cannot be an address. A nil one has what was in the memory before.
  private static let numbers: Set = ["Foundation.Date", "FoundationEssentials.Date", "Swift.String.Index"]
  /// Range and ClosedRange.
  private static let ranges = ["Sny", "SNy"]

  /// Addresses of the shapes of protocol types with arguments.
  private static let shapes: ClosedRange<UInt8> = 10...11

  private static func content(
    _ whole: UnsafeRawBufferPointer.SubSequence, _ address: UInt64, _ size: Int, _ reader: inout MemoryReader
  ) -> HeapField.Content {
    if words.contains(where: { whole.elementsEqual($0.utf8) }) { return .word }
    if optionalWords.contains(where: { whole.elementsEqual($0.utf8) }) { return size > 8 ? .word : .anything }
    var bytes = whole
    if bytes.count > 2, bytes.suffix(2).elementsEqual("Sg".utf8) { bytes = bytes.dropLast(2) }
    if let small = smallNumbers.first(where: { bytes.elementsEqual($0.type.utf8) }) {
      return number(of: small.size, in: size, isOptional: false)
    }
    guard let first = bytes.first else { return .anything }
    if let range = ranges.first(where: { bytes.starts(with: $0.utf8) }), bytes.last == UInt8(ascii: "G") {
      let bound = bytes.dropFirst(range.utf8.count).dropLast(), place = address + UInt64(range.utf8.count)
      return isNumber(bound, at: place, &reader) ? .number : .anything
    }
    let head = width(first)
    let isSymbolic = head > 1
    let rest = String(decoding: bytes.dropFirst(isSymbolic ? head : 0).filter { $0 >= 0x20 }, as: UTF8.self)
    if rest == "yXl" || isSymbolic && rest == "_Xl" { return .object }
    // For several protocols it is unknown which of them are class-constrained.
    if rest == "yp" || (isSymbolic ? rest == "_p" : rest.hasSuffix("_p") && rest.filter { $0 == "_" }.count == 1) {
      return size >= ExistentialReader.size ? .existential : size == 16 ? .object : .anything
    }
    // A protocol with arguments; those of values in a buffer are not distinguished.
    if shapes.contains(first), rest.hasSuffix("Xj") { return size == 16 ? .object : .anything }
    let isWhole = rest.isEmpty || rest.hasPrefix("y") && rest.hasSuffix("G")
    if isSymbolic, isWhole {
      guard let context = context(first, at: address + 1, &reader), let flags = reader.half(at: context) else {
        return .anything
      }
      if flags & 0x1F == ClassShape.classKind { return .object }
      guard rest.isEmpty else { return .anything }
      if flags & 0x1F == enumKind { return hasPayloads(context, &reader) ? .anything : .number }
      guard let name = TypeName.ofContext(context, &reader) else { return .anything }
      if numbers.contains(name) { return .number }
      guard let own = sizes[name] else { return .anything }
      return number(of: own, in: size, isOptional: bytes.count < whole.count)
    }
    return !isSymbolic && rest.hasSuffix("C") ? .object : .anything
  }

  private static func isNumber(
    _ type: UnsafeRawBufferPointer.SubSequence, at address: UInt64, _ reader: inout MemoryReader
  ) -> Bool {
    guard let first = type.first, type.count == width(first), let context = context(first, at: address + 1, &reader)
    else { return false }
    return TypeName.ofContext(context, &reader).map(numbers.contains) ?? false
  }

  /// The descriptor of a nominal type without generic arguments, optional or not.
  static func context(at address: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    guard let bytes = reader.bytes(at: address)?.prefix(8), let kind = bytes.first, kind < 0x18 else { return nil }
    let rest = bytes.dropFirst(5).prefix { $0 != 0 }
    guard rest.isEmpty || rest.elementsEqual("Sg".utf8) else { return nil }
    return context(kind, at: address + 1, &reader)
  }

  /// The descriptor of a nominal type with generic arguments.
  static func genericContext(at address: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    guard let bytes = reader.bytes(at: address)?.prefix(4000), let kind = bytes.first, width(kind) == 5 else {
      return nil
    }
    let arguments = bytes.startIndex + width(kind)
    guard arguments < bytes.endIndex, bytes[arguments] == UInt8(ascii: "y") else { return nil }
    var index = arguments, last: UInt8 = 0
    while index < bytes.endIndex, bytes[index] != 0 {
      last = bytes[index]
      index += width(last)
    }
    return last == UInt8(ascii: "G") ? context(kind, at: address + 1, &reader) : nil
  }

  /// The target of an address in a mangled type, directly or through a pointer.
  static func context(_ kind: UInt8, at address: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    switch kind {
    case 1: reader.relative(at: address)
    case 2: reader.relative(at: address).flatMap { reader.word(at: $0) }
    default: nil
    }
  }

  private static let enumKind: UInt32 = 18

  /// Whether cases of an enum have payloads. Layout: TargetEnumDescriptor of swift/ABI/Metadata.h.
  private static func hasPayloads(_ descriptor: UInt64, _ reader: inout MemoryReader) -> Bool {
    reader.half(at: descriptor + 20).map { $0 & 0xFF_FFFF != 0 } ?? true
  }

  /// A number of some bytes in a property of `size` bytes, which are more if padding follows.
  private static func number(of bytes: Int, in size: Int, isOptional: Bool) -> HeapField.Content {
    if bytes == 8 { return isOptional && size <= 8 ? .anything : .word }
    // Two adjacent numbers of four bytes may be the halves of an address.
    return bytes < 4 || size > 4 ? .number : .anything
  }
}
