/// Determines types' names from their metadata and context descriptors: `Module.Outer.Inner<Arguments>`. The probe
/// (`class_name.c`) gives a class the same name.
enum TypeName {
  private enum Context {
    static let module: UInt32 = 0, extension_: UInt32 = 1, anonymous: UInt32 = 2, protocol_: UInt32 = 3,
      opaque: UInt32 = 4
    static let firstType: UInt32 = 16, lastType: UInt32 = 31
    static let isGeneric: UInt32 = 0x80
  }

  /// The name of a class, struct or enum, from its metadata.
  static func ofNominal(_ metadata: UInt64, _ reader: inout MemoryReader, depth: Int = 0) -> String? {
    guard let kind = reader.word(at: metadata) else { return nil }
    let isClass = kind == 0 || kind > 0x7FF
    guard let descriptor = reader.word(at: metadata + (isClass ? 40 : 8)), let name = ofContext(descriptor, &reader)
    else { return nil }
    guard let flags = reader.half(at: descriptor), flags & Context.isGeneric != 0 else { return name }
    let arguments = genericArguments(of: metadata, descriptor, isClass: isClass, &reader).map {
      ofMember($0, &reader, depth: depth)
    }
    return arguments.isEmpty ? name : "\(name)<\(arguments.joined(separator: ", "))>"
  }

  /// "Module.Outer.Inner"; contexts without a name are skipped. An extension's part is the type that it extends.
  static func ofContext(_ start: UInt64, _ reader: inout MemoryReader, depth: Int = 0) -> String? {
    var parts: [String] = []
    var context = start
    for _ in 0..<16 {
      guard let flags = reader.half(at: context) else { return nil }
      let kind = flags & 0x1F
      if kind == Context.module || kind == Context.protocol_ || Context.firstType...Context.lastType ~= kind {
        guard let place = reader.relative(at: context + 8), let part = reader.text(at: place), !part.isEmpty else {
          return nil
        }
        parts.append(part)
        if kind == Context.module { return parts.reversed().joined(separator: ".") }
      } else if kind == Context.extension_ {
        if depth < 4, let extended = ofExtended(context, &reader, depth: depth) { parts.append(extended) }
      } else if ![Context.anonymous, Context.opaque].contains(kind) {
        return nil
      }
      guard let parent = reader.relativeIndirectable(at: context + 4) else { return nil }
      context = parent
    }
    return parts.isEmpty ? nil : parts.reversed().joined(separator: ".")
  }

  /// The type that an extension extends, without its module; nil if its mangling is unknown.
  ///
  /// It begins with an address of a descriptor or with a standard type; that of an optional one ends in "Sg".
  private static func ofExtended(_ extension_: UInt64, _ reader: inout MemoryReader, depth: Int) -> String? {
    guard let type = reader.relative(at: extension_ + 8), let bytes = reader.bytes(at: type)?.prefix(400) else {
      return nil
    }
    var index = bytes.startIndex
    var last: [UInt8] = []
    while index < bytes.endIndex, bytes[index] != 0 {
      let width = FieldType.width(bytes[index])
      last = width == 1 ? last.suffix(1) + [bytes[index]] : []
      index += width
    }
    if last.elementsEqual("Sg".utf8) { return "Optional" }
    guard let first = bytes.first else { return nil }
    if first == UInt8(ascii: "S") { return StandardType.name(of: bytes.dropFirst().prefix(2)) }
    let name = FieldType.context(first, at: type + 1, &reader).flatMap { ofContext($0, &reader, depth: depth + 1) }
    guard let name, let dot = name.firstIndex(of: ".") else { return nil }
    return String(name[name.index(after: dot)...])
  }

  private static let toolchainModules: Set<Substring> = [
    "Swift", "CoreFoundation", "Dispatch", "Synchronization", "Observation", "Distributed", "RegexBuilder",
    "_Concurrency", "_StringProcessing", "_RegexParser", "_Differentiation", "XCTest", "Testing",
  ]

  /// Whether a type is of one of the toolchain's libraries, which may be linked into the program (class.c has the same
  /// list).
  static func isOfToolchain(_ name: String) -> Bool {
    let module = name.prefix { $0 != "." }
    return toolchainModules.contains(module) || module.hasPrefix("Foundation") || module.hasPrefix("_Foundation")
  }

  private static func ofType(_ metadata: UInt64, _ reader: inout MemoryReader, depth: Int) -> String {
    guard metadata & 7 == 0, metadata > 4096, let kind = reader.word(at: metadata) else { return "_" }
    switch kind {
    case 0x301: return ofTuple(metadata, &reader, depth: depth) ?? "_"
    case 0x302: return ofFunction(metadata, &reader, depth: depth) ?? "_"
    case 0x303: return ofExistential(metadata, &reader)
    case 0x304: return reader.word(at: metadata + 8).map { ofMember($0, &reader, depth: depth) + ".Type" } ?? "_"
    case 0x300: return "Builtin"
    case 0, 0x200...0x202, 0x800...: return ofNominal(metadata, &reader, depth: depth) ?? "_"
    default: return "_"
    }
  }

  private static func ofMember(_ metadata: UInt64, _ reader: inout MemoryReader, depth: Int) -> String {
    depth < 4 ? ofType(metadata, &reader, depth: depth + 1) : "_"
  }

  /// "(Swift.Int, Swift.String)"; labels are left out, as in the recorded names of classes.
  private static func ofTuple(_ metadata: UInt64, _ reader: inout MemoryReader, depth: Int) -> String? {
    guard let count = reader.word(at: metadata + 8), count <= mostMembers else { return nil }
    return list(metadata + 24, count, stride: 16, &reader, depth: depth)
  }

  /// "(Swift.Int) async throws -> ()" (FunctionTypeFlags in swift/ABI/MetadataValues.h).
  private static func ofFunction(_ metadata: UInt64, _ reader: inout MemoryReader, depth: Int) -> String? {
    guard let flags = reader.word(at: metadata + 8), flags & 0xFFFF <= mostMembers,
      let result = reader.word(at: metadata + 16)
    else { return nil }
    let parameters = list(metadata + 24, flags & 0xFFFF, stride: 8, &reader, depth: depth)
    let effects = (flags & 1 << 29 != 0 ? " async" : "") + (flags & 1 << 24 != 0 ? " throws" : "")
    return "\(parameters)\(effects) -> \(ofMember(result, &reader, depth: depth))"
  }

  private static let mostMembers: UInt64 = 8

  private static func list(
    _ first: UInt64, _ count: UInt64, stride: UInt64, _ reader: inout MemoryReader, depth: Int
  ) -> String {
    let members = (0..<count).map { index in
      ofMember(reader.word(at: first + index * stride) ?? 0, &reader, depth: depth)
    }
    return "(\(members.joined(separator: ", ")))"
  }

  /// "Any", "Swift.AnyObject", "any App.Style & App.Named": the type of values that conform to protocols, or of all
  /// values (ExistentialTypeMetadata in swift/ABI/Metadata.h).
  private static func ofExistential(_ metadata: UInt64, _ reader: inout MemoryReader) -> String {
    guard let flags = reader.half(at: metadata + 8), let count = reader.half(at: metadata + 12), count <= mostMembers
    else { return "_" }
    let isForAll = flags & 0x8000_0000 != 0, hasSuperclass = flags & 0x4000_0000 != 0, isError = flags >> 24 & 0x3F == 1
    if isError { return "any Swift.Error" }
    if count == 0, !hasSuperclass { return isForAll ? "Any" : "Swift.AnyObject" }
    let parts = (0..<UInt64(count) + (hasSuperclass ? 1 : 0)).map { index in
      reader.word(at: metadata + 16 + index * 8).flatMap { word in
        hasSuperclass && index == 0 ? ofNominal(word, &reader, depth: 4) : ofContext(word & ~1, &reader)
      } ?? "_"
    }
    return "any " + parts.joined(separator: " & ")
  }

  /// The metadata of a type's generic arguments; empty if unknown.
  ///
  /// Of a class whose superclass is in another module they are left out, as in a recording's names, unless
  /// `isResilientToo`.
  static func genericArguments(
    of metadata: UInt64, _ descriptor: UInt64, isClass: Bool, isResilientToo: Bool = false, _ reader: inout MemoryReader
  ) -> [UInt64] {
    // The generic context follows the descriptor's fixed part: TypeGenericContextDescriptorHeader.
    guard let flags = reader.half(at: descriptor) else { return [] }
    let isResilient = isClass && flags >> 29 & 1 != 0
    if isResilient, !isResilientToo { return [] }
    let header = descriptor + (isClass ? 44 : 28) + 8
    guard let parameters = reader.quarter(at: header), let keys = reader.quarter(at: header + 4), parameters <= 16,
      keys <= 32
    else { return [] }
    // Each parameter has a byte; one that is the same type as another has no argument of its own.
    guard let bytes = reader.bytes(at: header + 8), bytes.prefix(Int(parameters)).allSatisfy({ $0 & 0x80 != 0 }) else {
      return []
    }
    var offset: UInt64 = 16
    if isResilient {
      guard let bounds = reader.relative(at: descriptor + 24), let members = reader.word(at: bounds),
        16..<1 << 19 ~= members
      else { return [] }
      offset = members
    } else if isClass {
      guard let positive = reader.half(at: descriptor + 28), let negative = reader.half(at: descriptor + 24),
        let members = reader.half(at: descriptor + 32)
      else { return [] }
      // ClassFlags: bit 12 of the kind's own flags means that the class's members are before its address point.
      let isNegative = flags >> 28 & 1 != 0
      let words = isNegative ? -Int64(negative) : Int64(positive) - Int64(members)
      guard words >= 0, words < 1 << 16 else { return [] }
      offset = UInt64(words) * 8
    }
    return (0..<UInt64(min(parameters, keys))).compactMap { reader.word(at: metadata + offset + $0 * 8) }
  }
}
