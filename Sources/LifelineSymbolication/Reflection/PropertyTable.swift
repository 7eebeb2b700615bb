/// The stored properties of the classes of one file, from its reflection metadata (section swift5_fieldmd).
///
/// Format: swift/RemoteInspection/Records.h. A descriptor and its records, 4-byte words, pointers relative to
/// themselves:
///
///   ┌──────┬────────────┬──────┬─────────────┬───────┐  ┌───────┬──────┬──────┐
///   │ type │ superclass │ kind │ record size │ count │  │ flags │ type │ name │ × count
///   └──────┴────────────┴──────┴─────────────┴───────┘  └───────┴──────┴──────┘
///      4         4          2         2          4          4       4      4
///
/// A type is a mangled name in which a byte 1…23 and the four after it are a reference to a type's descriptor.
struct PropertyTable {
  /// By full class name.
  let properties: [String: [StoredProperty]]
  /// The class that a class of the file is derived from, by full names.
  let superclasses: [String: String]
  /// Full names of the types that structures and enumerations store.
  let valueTypeNames: Set<String>
  /// The protocols that a class of the file conforms to itself, as `StoredProperty.protocols` calls them.
  let conformances: [String: Set<String>]
  /// Full names of the types in cases of enumerations that are `indirect`, whose payload lies in a box of its own.
  let boxedTypeNames: Set<String>
  /// Classes whose superclass is not of the file: what it conforms to is not known.
  let classesOfOthers: Set<String>

  init(_ file: ELFFile) {
    let data = SectionData(file)
    let pointers = PointerTable(data)
    var found: [String: [StoredProperty]] = [:]
    var derived: [String: String] = [:]
    var values: Set<String> = []
    var valueFields: [String: [StoredProperty]] = [:]
    guard let section = data.addresses(of: "swift5_fieldmd") else {
      properties = [:]
      superclasses = [:]
      valueTypeNames = []
      conformances = [:]
      classesOfOthers = []
      boxedTypeNames = []
      return
    }
    var boxed: Set<String> = []
    var ofOthers: Set<String> = []
    var address = section.lowerBound
    while address &+ 16 <= section.upperBound, let shape = data.word(at: address &+ 8),
      let count = data.word(at: address &+ 12)
    {
      let recordSize = UInt64(shape >> 16)
      let size = 16 + recordSize * UInt64(count)
      guard recordSize >= 12, size <= section.upperBound - address else { break }
      if let owner = Self.owner(at: address, data, pointers) {
        let superclass = data.target(at: address + 4)
        derived[owner] = superclass.flatMap { Self.references(at: $0, data, pointers).contexts.first }
          .flatMap(data.contextName)
        if superclass != nil, derived[owner] == nil { ofOthers.insert(owner) }
        found[owner] = (0..<UInt64(count)).compactMap {
          Self.property(at: address + 16 + $0 * recordSize, data, pointers)
        }
      } else {
        let fields = (0..<UInt64(count)).compactMap {
          Self.property(at: address + 16 + $0 * recordSize, data, pointers)
        }
        values.formUnion(fields.flatMap(\.typeNames))
        if let type = Self.name(ofType: address, data, pointers) {
          valueFields[type] = fields
        }
        for index in 0..<UInt64(count) where data.word(at: address + 16 + index * recordSize).map({ $0 & 1 }) == 1 {
          let payload = Self.property(at: address + 16 + index * recordSize, data, pointers)
          boxed.formUnion(payload?.typeNames ?? [])
        }
      }
      address += size
    }
    // What a structure in a property refers to the property's class refers to as well.
    let uncounted = valueFields.mapValues {
      $0.filter { [.unowned, .unownedUnsafe, .unmanaged].contains($0.strength) }
    }
    properties = found.mapValues { list in
      list.map { $0.widened(by: valueFields) }
        + list.flatMap { property in
          property.typeNames.flatMap { uncounted[$0] ?? [] }.map { $0.inside(property.name) }
        }
    }
    boxedTypeNames = boxed.reduce(into: boxed) { names, type in
      for field in valueFields[type] ?? [] { names.formUnion(field.widened(by: valueFields).typeNames) }
    }
    superclasses = derived
    valueTypeNames = values
    conformances = ConformanceTable(data, pointers).protocols
    classesOfOthers = ofOthers
  }

  /// The type that a descriptor is about.
  private static func name(ofType address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> String? {
    data.target(at: address).flatMap { references(at: $0, data, pointers).contexts.first }.flatMap(data.contextName)
  }

  /// The class that a descriptor is about; nil for structs and enums.
  private static func owner(at address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> String? {
    guard let type = data.target(at: address), let reference = references(at: type, data, pointers).contexts.first,
      data.contextKind(at: reference) == SectionData.ContextKind.classType
    else { return nil }
    return data.contextName(at: reference)
  }

  private static func property(at address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> StoredProperty? {
    guard let stored = data.target(at: address + 8).flatMap(data.string), let type = data.target(at: address + 4) else {
      return nil
    }
    let name = stored.replacing("$__lazy_storage_$_", with: "")
    let (contexts, imports, text) = references(at: type, data, pointers)
    let strength: StoredProperty.Strength =
      text.hasSuffix("Xw")
      ? .weak
      : text.hasSuffix("Xo")
        ? .unowned
        : text.hasSuffix("Xu")
          ? .unownedUnsafe
          : imports.contains("$ss9UnmanagedVMn") || text.contains("s9UnmanagedV") ? .unmanaged : .strong
    if isFunction(text) { return StoredProperty(name: name, strength: strength, typeNames: [], isFunction: true) }
    let typeNames = contexts.compactMap(data.contextName)
    let protocols =
      contexts.filter { data.contextKind(at: $0) == SectionData.ContextKind.protocolType }.compactMap(data.contextName)
      + imports.filter { $0.hasSuffix("Mp") } + (text.contains("s5Error_p") ? ["$ss5ErrorMp"] : [])
    // The storage of a tracked reference is called "_delegate": the property is what the wrapper leads to.
    if name.hasPrefix("_"), let wrapper = typeNames.first.flatMap({ Self.trackedStrengths[$0] }) {
      return StoredProperty(
        name: String(name.dropFirst()), strength: wrapper, typeNames: Array(typeNames.dropFirst()),
        isExistential: isExistential(text), protocols: Set(protocols))
    }
    // UnsafeMutableRawPointer, UnsafeRawPointer, OpaquePointer.
    let isPointer =
      text.contains("Sv") || text.contains("SV") || imports.contains("$ss13OpaquePointerVMn")
      || text.contains("OpaquePointer")
    return StoredProperty(
      name: name, strength: strength, typeNames: typeNames,
      isExistential: isExistential(text),
      protocols: Set(protocols), isPointer: isPointer, isParameter: isParameter(text))
  }

  /// The property wrappers of the library Lifeline.
  private static let trackedStrengths: [String: StoredProperty.Strength] = [
    "Lifeline.TrackedStrong": .strong, "Lifeline.TrackedWeak": .weak, "Lifeline.TrackedUnowned": .unowned,
    "Lifeline.TrackedUnownedUnsafe": .unownedUnsafe,
  ]

  /// Whether a mangled type is, or is made of, a function type: "c" ends one, while "Sc" begins a type of the
  /// concurrency library (Mangling.rst).
  private static func isFunction(_ text: String) -> Bool {
    zip(" " + text, text).contains { $1 == "c" && $0 != "S" }
  }

  /// Whether a mangled type is, or is made of, a protocol's existential, Any ("yp"), AnyObject ("yXl") or AnyHashable.
  private static func isExistential(_ text: String) -> Bool {
    ["_p", "yp", "yXl", "AnyHashableV"].contains(where: text.contains)
  }

  /// Whether a mangled type is, or is made of, a generic parameter: "x" is the first, "q" begins the name of another.
  private static func isParameter(_ text: String) -> Bool {
    zip(" " + text, text).contains { "xq".contains($1) && !"SX".contains($0) }
  }

  /// The descriptors that a mangled name refers to, the symbols of those in other files, and the text between them.
  private static func references(
    at address: UInt64, _ data: SectionData, _ pointers: PointerTable
  ) -> (contexts: [UInt64], imports: [String], text: String) {
    let bytes = data.bytes(at: address).prefix(1000)
    var contexts: [UInt64] = []
    var imports: [String] = []
    var text: [UInt8] = []
    var index = 0
    // A generic class keeps objects of its arguments; who refers to the class does not.
    var skipped = GenericArguments()
    while index < bytes.count, bytes[index] != 0 {
      let byte = bytes[index]
      if byte < 0x18 {
        // 1 leads to the descriptor itself, 2 to a pointer to it; the others are no types.
        let target = byte <= 2 ? data.target(at: address + UInt64(index) + 1) : nil
        let context = byte == 2 ? target.flatMap(pointers.target) : target
        if !skipped.isInside {
          if let context { contexts.append(context) }
          if byte == 2, let symbol = target.flatMap(pointers.symbol) { imports.append(symbol) }
        }
        skipped.takeReference(isClass: context.flatMap(data.contextKind) == SectionData.ContextKind.classType)
        index += 5
      } else if byte < 0x20 {
        index += 9
      } else {
        skipped.take(byte)
        text.append(byte)
        index += 1
      }
    }
    return (contexts, imports, String(decoding: text, as: UTF8.self))
  }
}
