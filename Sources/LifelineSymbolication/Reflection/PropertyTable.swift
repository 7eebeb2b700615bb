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

  private enum Kind { static let module: UInt32 = 0, anonymous: UInt32 = 2, classType: UInt32 = 16 }

  init(_ file: ELFFile) {
    let data = SectionData(file)
    let pointers = PointerTable(data)
    var found: [String: [StoredProperty]] = [:]
    var derived: [String: String] = [:]
    var values: Set<String> = []
    var uncounted: [String: [StoredProperty]] = [:]
    guard let section = data.addresses(of: "swift5_fieldmd") else {
      properties = [:]
      superclasses = [:]
      valueTypeNames = []
      return
    }
    var address = section.lowerBound
    while address &+ 16 <= section.upperBound, let shape = data.word(at: address &+ 8),
      let count = data.word(at: address &+ 12)
    {
      let recordSize = UInt64(shape >> 16)
      let size = 16 + recordSize * UInt64(count)
      guard recordSize >= 12, size <= section.upperBound - address else { break }
      if let owner = Self.owner(at: address, data, pointers) {
        derived[owner] = data.target(at: address + 4).flatMap { Self.references(at: $0, data, pointers).contexts.first }
          .flatMap { Self.name(ofContext: $0, data) }
        found[owner] = (0..<UInt64(count)).compactMap {
          Self.property(at: address + 16 + $0 * recordSize, data, pointers)
        }
      } else {
        let fields = (0..<UInt64(count)).compactMap {
          Self.property(at: address + 16 + $0 * recordSize, data, pointers)
        }
        values.formUnion(fields.flatMap(\.typeNames))
        if let type = Self.name(ofType: address, data, pointers) {
          uncounted[type] = fields.filter { [.unowned, .unownedUnsafe, .unmanaged].contains($0.strength) }
        }
      }
      address += size
    }
    // What a structure in a property refers to without owning it the property's class refers to as well.
    properties = found.mapValues { list in
      list
        + list.flatMap { property in
          property.typeNames.flatMap { uncounted[$0] ?? [] }.map { $0.inside(property.name) }
        }
    }
    superclasses = derived
    valueTypeNames = values
  }

  /// The type that a descriptor is about.
  private static func name(ofType address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> String? {
    data.target(at: address).flatMap { references(at: $0, data, pointers).contexts.first }.flatMap {
      name(ofContext: $0, data)
    }
  }

  /// The class that a descriptor is about; nil for structs and enums.
  private static func owner(at address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> String? {
    guard let type = data.target(at: address), let reference = references(at: type, data, pointers).contexts.first,
      let flags = data.word(at: reference), flags & 0x1F == Kind.classType
    else { return nil }
    return name(ofContext: reference, data)
  }

  private static func property(at address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> StoredProperty? {
    guard let name = data.target(at: address + 8).flatMap(data.string), let type = data.target(at: address + 4) else {
      return nil
    }
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
    let typeNames = contexts.compactMap { self.name(ofContext: $0, data) }
    // The storage of a tracked reference is called "_delegate": the property is what the wrapper leads to.
    if name.hasPrefix("_"), let wrapper = typeNames.first.flatMap({ Self.trackedStrengths[$0] }) {
      return StoredProperty(
        name: String(name.dropFirst()), strength: wrapper, typeNames: Array(typeNames.dropFirst()),
        isExistential: text.contains("_p"))
    }
    // UnsafeMutableRawPointer, UnsafeRawPointer, OpaquePointer.
    let isPointer =
      text.contains("Sv") || text.contains("SV") || imports.contains("$ss13OpaquePointerVMn")
      || text.contains("OpaquePointer")
    return StoredProperty(
      name: name, strength: strength, typeNames: typeNames,
      isExistential: text.contains("_p") || strength == .unmanaged && text.contains("yXl"), isPointer: isPointer)
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

  /// The descriptors that a mangled name refers to, the symbols of those in other files, and the text between them.
  private static func references(
    at address: UInt64, _ data: SectionData, _ pointers: PointerTable
  ) -> (contexts: [UInt64], imports: [String], text: String) {
    let bytes = data.bytes(at: address).prefix(1000)
    var contexts: [UInt64] = []
    var imports: [String] = []
    var text: [UInt8] = []
    var index = 0
    while index < bytes.count, bytes[index] != 0 {
      let byte = bytes[index]
      if byte < 0x18 {
        // 1 leads to the descriptor itself, 2 to a pointer to it; the others are no types.
        let target = byte <= 2 ? data.target(at: address + UInt64(index) + 1) : nil
        if let context = byte == 2 ? target.flatMap(pointers.target) : target { contexts.append(context) }
        if byte == 2, let symbol = target.flatMap(pointers.symbol) { imports.append(symbol) }
        index += 5
      } else if byte < 0x20 {
        index += 9
      } else {
        text.append(byte)
        index += 1
      }
    }
    return (contexts, imports, String(decoding: text, as: UTF8.self))
  }

  /// "Module.Outer.Inner"; contexts without a name of their own (anonymous ones) are passed over.
  private static func name(ofContext start: UInt64, _ data: SectionData) -> String? {
    var parts: [String] = []
    var address = start
    for _ in 0..<16 {
      guard let flags = data.word(at: address) else { return nil }
      let kind = flags & 0x1F
      if kind != Kind.anonymous {
        guard kind == Kind.module || kind >= Kind.classType || kind == 3,
          let part = data.target(at: address + 8).flatMap(data.string)
        else { return nil }
        parts.append(part)
      }
      guard kind != Kind.module else { break }
      // The lowest bit says that the parent is reached through a pointer: it is another file's.
      guard let parent = data.target(at: address + 4), parent & 1 == 0 else { return nil }
      address = parent
    }
    return parts.reversed().joined(separator: ".")
  }
}
