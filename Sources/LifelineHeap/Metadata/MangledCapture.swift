/// The size of a captured value of a single type, and the reference at its start, from its mangled type (Mangling.rst
/// of Swift; for types of functions as compiled code has them, demangleImplFunctionType in Demangler.cpp).
struct MangledCapture {
  let size: Int
  private(set) var alignment = 8
  let ownership: HeapField.Ownership
  /// `object` for a reference to one object or to nothing, `word` for an object's address, which is no reference, and
  /// `existential`; nil if it has other parts.
  let content: HeapField.Content?

  /// Nil if the size is unknown.
  init?(_ type: MangledType, _ reader: inout MemoryReader) {
    var text = type.tail
    func cut(_ suffix: String) -> Bool {
      guard text.hasSuffix(suffix) else { return false }
      text.removeLast(suffix.count)
      return true
    }
    let declared: HeapField.Ownership =
      cut("Xo") ? .unowned : cut("Xw") ? .weak : cut("Xu") ? .unownedUnsafe : .strong
    let isOptional = cut("Sg")
    if type.isPlain, text == "SO" {
      (size, ownership, content) = (8, .unowned, .word)
    } else if Self.isReference(text, type, &reader) {
      (size, ownership, content) = (8, declared, .object)
    } else if let kind = Self.existential(text, type, &reader) {
      let isClass = kind == .object
      guard isClass || declared == .strong else { return nil }
      (size, ownership, content) = (isClass ? 16 : ExistentialReader.size + (text == "yp" ? 0 : 8), declared, kind)
    } else if declared != .strong {
      return nil
    } else if text.hasSuffix("c") || Self.isFunction(text) {
      (size, ownership, content) = (16, .strong, nil)
    } else if text.hasSuffix("XMT") {
      (size, ownership, content) = (8, .strong, nil)
    } else if text.hasSuffix("G"), Self.isPointer(type) {
      (size, ownership, content) = (8, .strong, nil)
    } else if let known = type.isPlain ? Self.sizes[String(text)] : Self.nominal(text, type, &reader) {
      (size, ownership, content) = (isOptional ? known.whenOptional : known.bytes, .strong, nil)
      alignment = known.alignment
    } else {
      return nil
    }
  }

  private struct Size {
    let bytes: Int
    let alignment: Int
    let whenOptional: Int

    /// Without `spare` bit patterns for nil an optional has a byte more.
    init(_ bytes: Int, alignment: Int? = nil, spare: Bool = false) {
      self.bytes = bytes
      self.alignment = alignment ?? min(bytes, 8)
      whenOptional = spare ? bytes : bytes + 1
    }
  }

  private static let sizes = [
    "Si": Size(8), "Su": Size(8), "Sd": Size(8), "Sf": Size(4), "Sb": Size(1, spare: true), "SV": Size(8, spare: true),
    "Sv": Size(8, spare: true), "SS": Size(16, spare: true), "SJ": Size(16, spare: true), "Ss": Size(32, spare: true),
  ]

  /// Of some types that have no mangling of their own.
  private static let nominals = [
    "Swift.Int8": Size(1), "Swift.UInt8": Size(1), "Swift.Int16": Size(2), "Swift.UInt16": Size(2),
    "Swift.Int32": Size(4), "Swift.UInt32": Size(4), "Swift.Int64": Size(8), "Swift.UInt64": Size(8),
    "Foundation.Date": Size(8), "FoundationEssentials.Date": Size(8), "Foundation.UUID": Size(16, alignment: 1),
    "FoundationEssentials.UUID": Size(16, alignment: 1), "Dispatch.DispatchTime": Size(8),
  ]

  private static func nominal(_ text: Substring, _ type: MangledType, _ reader: inout MemoryReader) -> Size? {
    guard type.isOneAddress, text.isEmpty, let head = type.bytes.first, head < 0x18,
      let context = FieldType.context(head, at: type.address + 1, &reader)
    else { return nil }
    return TypeName.ofContext(context, &reader).flatMap { nominals[$0] }
  }

  /// UnsafePointer and UnsafeMutablePointer, optional or not.
  private static func isPointer(_ type: MangledType) -> Bool {
    ["SPy", "Spy"].contains { type.bytes.starts(with: $0.utf8) }
  }

  /// Whether it is one reference: a class, `AnyObject`, an array, a dictionary, a set, or the box of a variable
  /// or an error.
  private static func isReference(_ text: Substring, _ type: MangledType, _ reader: inout MemoryReader) -> Bool {
    if ["Xb", "Xx", "XX"].contains(where: text.hasSuffix) || text == "s5Error_p" && type.isPlain { return true }
    if type.isPlain {
      let isCollection = collections.contains { text.hasPrefix($0) } && text.hasSuffix("G")
      return text == "yXl" || text.hasSuffix("C") || isCollection
    }
    guard let head = type.bytes.first else { return false }
    if head == 0x53 { return collections.contains { type.bytes.starts(with: $0.utf8) } && text.hasSuffix("G") }
    guard type.isOneAddress && text.isEmpty || text.hasSuffix("G"), head < 0x18,
      let context = FieldType.context(head, at: type.address + 1, &reader), let flags = reader.half(at: context)
    else { return false }
    return flags & 0x1F == ClassShape.classKind
  }

  private static let collections = ["Say", "SDy", "Shy"]

  /// Equatable, Hashable, Comparable, Encodable, Decodable.
  private static let plains: Set<Substring> = ["SQ_p", "SH_p", "SL_p", "SE_p", "Se_p"]

  /// `object` for a value of a protocol type that only classes conform to, `existential` for another; nil if it is none
  /// of a single protocol.
  private static func existential(
    _ text: Substring, _ type: MangledType, _ reader: inout MemoryReader
  ) -> HeapField.Content? {
    if type.isPlain { return text == "yp" || plains.contains(text) ? .existential : text == "ScA_p" ? .object : nil }
    guard type.isOneAddress, text == "_p", let head = type.bytes.first, head < 0x18,
      let context = FieldType.context(head, at: type.address + 1, &reader), let flags = reader.half(at: context),
      // ContextDescriptorKind, and the flags of ProtocolContextDescriptorFlags (swift/ABI/MetadataValues.h). Errors
      // have a layout of their own.
      flags & 0x1F == 3, flags >> 18 & 0x3F == 0
    else { return nil }
    return flags >> 16 & 1 == 0 ? .object : .existential
  }

  /// Whether it is the type of a function with a context, as compiled code has it: "I", its attributes, conventions of
  /// its parameters and results, "_".
  private static func isFunction(_ text: Substring) -> Bool {
    guard text.last == "_", let start = text.lastIndex(of: "I") else { return false }
    let code = text[text.index(after: start)...].dropLast()
    guard code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return false }
    let attributes = code.drop { "PeA".contains($0) }
    guard let callee = attributes.first, "gxy".contains(callee) else { return false }
    // Of C's, blocks, methods and witnesses there is no context.
    return attributes.dropFirst().first.map { !"BCzMOKW".contains($0) } ?? true
  }
}
