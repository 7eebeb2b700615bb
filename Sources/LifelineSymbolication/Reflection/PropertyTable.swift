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
  private(set) var properties: [String: [StoredProperty]]
  /// The properties of @Observable classes that are stored after "_", "App.Folder.parent".
  private(set) var observed: Set<String> = []
  /// The class that a class of the file is derived from, by full names.
  let superclasses: [String: String]
  /// Full names of the types in the arguments of generic superclasses.
  let superclassArguments: Set<String>
  /// Full names of the types that structs and enums store, apart from references that do not keep an object.
  let valueTypeNames: Set<String>
  /// The protocols that a class of the file conforms to itself, as `StoredProperty.protocols` calls them.
  let conformances: [String: Set<String>]
  /// Classes whose superclass is not of the file: what it conforms to is not known.
  let classesOfOthers: Set<String>
  /// The references of structs and enums that keep nothing alive, by the type's full name.
  let referringValues: [String: [StoredProperty]]
  /// What closures of the file capture without counting it, nameless.
  let uncountedCaptures: [StoredProperty]

  init(_ file: ELFFile) {
    let data = SectionData(file)
    let pointers = PointerTable(data)
    var found: [String: [StoredProperty]] = [:]
    var derived: [String: String] = [:]
    var values: Set<String> = []
    guard let section = data.addresses(of: "swift5_fieldmd") else {
      properties = [:]
      superclasses = [:]
      superclassArguments = []
      valueTypeNames = []
      conformances = [:]
      classesOfOthers = []
      referringValues = [:]
      uncountedCaptures = []
      return
    }
    var ofOthers: Set<String> = []
    var arguments: Set<String> = []
    let valueFields = Self.valueFields(section, data, pointers)
    let keepingNothing = valueFields.keepingNothing
    let descriptors = Self.descriptors(section, data)
    let classes = descriptors.map { Self.ownerContext(at: $0.address, data, pointers) }
    let offsets = FieldOffsets(data, pointers, classes: Set(classes.compactMap { $0 }))
    for ((address, records), context) in zip(descriptors, classes) {
      let places = context.map { offsets.offsets(ofClass: $0, count: records.count) }
      let fields = records.enumerated().compactMap { index, record in
        var field = Self.property(at: record, data, pointers, keepingNothing)
        field?.offset = places?[index]
        return field
      }
      if let owner = context.flatMap(data.contextName) {
        let superclass = data.target(at: address + 4)
        let ancestry = superclass.map { Self.references(at: $0, data, pointers) }
        derived[owner] = ancestry?.kept.contexts.first.flatMap(data.contextName)
        arguments.formUnion(ancestry?.dropped.compactMap(data.contextName) ?? [])
        if superclass != nil, derived[owner] == nil { ofOthers.insert(owner) }
        found[owner] = fields
      } else {
        values.formUnion(fields.filter { [.strong, .unmanaged].contains($0.strength) }.flatMap(\.typeNames))
      }
    }
    // A class also refers to what the structs in its properties refer to.
    properties = found.mapValues { list in
      list.map { $0.widened(by: valueFields.fields) } + list.flatMap(valueFields.references)
    }
    superclasses = derived
    superclassArguments = arguments
    valueTypeNames = values
    conformances = ConformanceTable(data, pointers).protocols
    classesOfOthers = ofOthers
    referringValues = valueFields.referringValues
    uncountedCaptures = Self.captures(data, pointers, keepingNothing).flatMap { capture in
      valueFields.references(in: capture) + (capture.strength.isUncounted ? [capture] : [])
    }
  }

  /// What the properties of @Observable classes with "_" before them may be in the source, "App.Folder.parent".
  var observable: Set<String> {
    var names: Set<String> = []
    for (owner, list) in properties where list.contains(where: { $0.name == "_$observationRegistrar" }) {
      names.formUnion(list.filter { $0.name.hasPrefix("_") }.map { "\(owner).\($0.name.dropFirst())" })
    }
    return names
  }

  /// Names the properties whose accessors the macro @Observable wrote as the source does.
  mutating func name(_ observed: Set<String>) {
    self.observed = observed
    guard !observed.isEmpty else { return }
    for (owner, list) in properties {
      properties[owner] = list.map { property in
        let name = property.name.dropFirst()
        return property.name.hasPrefix("_") && observed.contains("\(owner).\(name.prefix { $0 != "." })")
          ? property.named(String(name)) : property
      }
    }
  }

  /// The types in cases of enums that are `indirect`, whose payload lies in a box of its own.
  static func indirectPayloads(_ data: SectionData, _ pointers: PointerTable) -> Set<Parts> {
    guard let section = data.addresses(of: "swift5_fieldmd") else { return [] }
    var found: Set<Parts> = []
    for record in descriptors(section, data).flatMap(\.records) where data.word(at: record).map({ $0 & 1 }) == 1 {
      if let type = data.target(at: record + 4) { found.insert(references(at: type, data, pointers).kept) }
    }
    return found
  }

  /// A descriptor has the numbers of captures, of sources of metadata and of bindings, 4 bytes each, then the type of
  /// each capture, and two words for each source (Records.h).
  private static func captures(
    _ data: SectionData, _ pointers: PointerTable, _ keepingNothing: Set<String>
  ) -> [StoredProperty] {
    guard let section = data.addresses(of: "swift5_capture") else { return [] }
    var result: [StoredProperty] = []
    var address = section.lowerBound
    while address &+ 12 <= section.upperBound, let count = data.word(at: address),
      let sources = data.word(at: address &+ 4)
    {
      let size = 12 + UInt64(count) * 4 + UInt64(sources) * 8
      guard size <= section.upperBound - address else { break }
      for index in 0..<UInt64(count) {
        guard let type = data.target(at: address + 12 + index * 4) else { continue }
        result.append(property(named: "", of: type, data, pointers, keepingNothing))
      }
      address += size
    }
    return result
  }

  /// The descriptors of a section, each with its records.
  private static func descriptors(
    _ section: Range<UInt64>, _ data: SectionData
  ) -> [(address: UInt64, records: [UInt64])] {
    var result: [(address: UInt64, records: [UInt64])] = []
    var address = section.lowerBound
    while address &+ 16 <= section.upperBound, let shape = data.word(at: address &+ 8),
      let count = data.word(at: address &+ 12)
    {
      let recordSize = UInt64(shape >> 16)
      let size = 16 + recordSize * UInt64(count)
      guard recordSize >= 12, size <= section.upperBound - address else { break }
      let first = address + 16
      result.append((address, (0..<UInt64(count)).map { first + $0 * recordSize }))
      address += size
    }
    return result
  }

  /// Whether a type keeps its arguments may hang on the types in it: told in a few rounds, or taken for granted.
  private static func valueFields(
    _ section: Range<UInt64>, _ data: SectionData, _ pointers: PointerTable
  ) -> ValueFields {
    var result = ValueFields()
    for _ in 0..<4 {
      let known = result.keepingNothing
      for (address, records) in descriptors(section, data) where ownerContext(at: address, data, pointers) == nil {
        guard let type = name(ofType: address, data, pointers) else { continue }
        result.add(records.compactMap { property(at: $0, data, pointers, known) }, of: type)
      }
      if result.keepingNothing == known { break }
    }
    return result
  }

  /// The type that a descriptor is about.
  private static func name(ofType address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> String? {
    data.target(at: address).flatMap { references(at: $0, data, pointers).kept.contexts.first }.flatMap(
      data.contextName)
  }

  /// The descriptor of the class that a descriptor of fields is about; nil for structs and enums.
  private static func ownerContext(at address: UInt64, _ data: SectionData, _ pointers: PointerTable) -> UInt64? {
    guard let type = data.target(at: address), let reference = references(at: type, data, pointers).kept.contexts.first,
      data.contextKind(at: reference) == SectionData.ContextKind.classType
    else { return nil }
    return reference
  }

  /// `keepingNothing` has the full names of generic types that do not keep what they are made for.
  private static func property(
    at address: UInt64, _ data: SectionData, _ pointers: PointerTable, _ keepingNothing: Set<String>
  ) -> StoredProperty? {
    guard let stored = data.target(at: address + 8).flatMap(data.string), let type = data.target(at: address + 4) else {
      return nil
    }
    let lazy = "$__lazy_storage_$_"
    let name = stored.hasPrefix(lazy) ? String(stored.dropFirst(lazy.count)) : stored
    var result = property(named: name, of: type, data, pointers, keepingNothing)
    result.isConstant = data.word(at: address).map { $0 & 2 } == 0
    return result
  }

  private static func property(
    named name: String, of type: UInt64, _ data: SectionData, _ pointers: PointerTable, _ keepingNothing: Set<String>
  ) -> StoredProperty {
    let (parts, left, _) = references(at: type, data, pointers, keepingNothing)
    let (contexts, imports, text) = (parts.contexts, parts.imports, parts.text)
    let strength: StoredProperty.Strength =
      text.hasSuffix("Xw")
      ? .weak
      : text.hasSuffix("Xo")
        ? .unowned
        : text.hasSuffix("Xu")
          ? .unownedUnsafe
          : imports.contains("$ss9UnmanagedVMn") || text.containsBytes("s9UnmanagedV") ? .unmanaged : .strong
    if isFunction(text) { return StoredProperty(name: name, strength: strength, typeNames: [], isFunction: true) }
    let typeNames = contexts.compactMap(data.contextName)
    let protocols = Self.protocols(parts, data)
    let arguments =
      left.contexts.isEmpty && left.bytes.isEmpty
      ? nil
      : TypeArguments(
        typeNames: left.contexts.compactMap(data.contextName), protocols: Self.protocols(left, data),
        isExistential: isExistential(left.text), isParameter: isParameter(left.text))
    // The storage of a tracked reference is called "_delegate": the property is what the wrapper leads to.
    if name.hasPrefix("_"), let wrapper = typeNames.first.flatMap({ Self.trackedStrengths[$0] }) {
      return StoredProperty(
        name: String(name.dropFirst()), strength: wrapper,
        typeNames: typeNames.dropFirst() + (arguments?.typeNames ?? []),
        isExistential: isExistential(text + left.text), protocols: protocols.union(arguments?.protocols ?? []))
    }
    // UnsafeMutableRawPointer, UnsafeRawPointer, OpaquePointer.
    let isPointer =
      text.containsBytes("Sv") || text.containsBytes("SV") || imports.contains("$ss13OpaquePointerVMn")
      || text.containsBytes("OpaquePointer")
    return StoredProperty(
      name: name, strength: strength, typeNames: typeNames,
      isExistential: isExistential(text),
      protocols: protocols, isPointer: isPointer, isFunction: false, isParameter: isParameter(text),
      isPlain: parts.isWhole && PlainTypes.contain(text, imports: imports), arguments: arguments)
  }

  /// The protocols of an existential, as `StoredProperty.protocols` calls them.
  private static func protocols(_ parts: Parts, _ data: SectionData) -> Set<String> {
    let own = parts.contexts.filter { data.contextKind(at: $0) == SectionData.ContextKind.protocolType }
    return Set(
      own.compactMap(data.contextName) + parts.imports.filter { $0.hasSuffix("Mp") }
        + (parts.text.containsBytes("s5Error_p") ? ["$ss5ErrorMp"] : []))
  }

  /// The property wrappers of the library Lifeline.
  private static let trackedStrengths: [String: StoredProperty.Strength] = [
    "Lifeline.TrackedStrong": .strong, "Lifeline.TrackedWeak": .weak, "Lifeline.TrackedUnowned": .unowned,
    "Lifeline.TrackedUnownedUnsafe": .unownedUnsafe,
  ]

  /// Whether a mangled type is, or is made of, a function type: "c" ends one, while "Sc" begins a type of the
  /// concurrency library (Mangling.rst).
  private static func isFunction(_ text: String) -> Bool {
    hasByte(text) { $1 == UInt8(ascii: "c") && $0 != UInt8(ascii: "S") }
  }

  /// Whether a mangled type is, or is made of, a protocol's existential, Any ("yp"), AnyObject ("yXl") or AnyHashable.
  private static func isExistential(_ text: String) -> Bool {
    text.containsBytes("_p") || text.containsBytes("yp") || text.containsBytes("yXl")
      || text.containsBytes("AnyHashableV")
  }

  /// Whether a mangled type is, or is made of, a generic parameter: "x" is the first, "q" begins the name of another.
  private static func isParameter(_ text: String) -> Bool {
    hasByte(text) { "xq".utf8.contains($1) && !"SX".utf8.contains($0) }
  }

  /// Whether any byte and the one before it, a blank before the first, are as wanted.
  private static func hasByte(_ text: String, where isWanted: (UInt8, UInt8) -> Bool) -> Bool {
    var last = UInt8(ascii: " ")
    for byte in text.utf8 {
      if isWanted(last, byte) { return true }
      last = byte
    }
    return false
  }

  /// What a mangled type is made of: the descriptors that it refers to, the symbols of those in other files, and the
  /// text between them.
  struct Parts: Hashable {
    var contexts: [UInt64] = []
    var imports: [String] = []
    var bytes: [UInt8] = []
    /// Whether it is known what each reference leads to.
    var isWhole = true
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  /// The descriptors that a mangled name refers to, the symbols of those in other files, and the text between them;
  /// apart from those, what stands in the arguments of types that keep none of theirs.
  static func references(
    at address: UInt64, _ data: SectionData, _ pointers: PointerTable, _ keepingNothing: Set<String> = []
  ) -> (kept: Parts, left: Parts, dropped: [UInt64]) {
    let bytes = data.bytes(at: address).prefix(1000)
    var kept = Parts()
    var left = Parts()
    var index = 0
    // A generic class keeps objects of its arguments; who refers to the class does not.
    var skipped = GenericArguments()
    var isLeft = false
    // What is mentioned for a second time is called by a number: it may be any that was.
    var dropped: [UInt64] = []
    var isRepeated = false
    while index < bytes.count, bytes[index] != 0 {
      let byte = bytes[index]
      if byte < 0x18 {
        // 1 leads to the descriptor itself, 2 to a pointer to it; the others are no types.
        let target = byte <= 2 ? data.target(at: address + UInt64(index) + 1) : nil
        let context = byte == 2 ? target.flatMap(pointers.target) : target
        let symbol = byte == 2 ? target.flatMap(pointers.symbol) : nil
        let isClass = context.flatMap(data.contextKind) == SectionData.ContextKind.classType
        if context == nil, symbol == nil { kept.isWhole = false }
        let keepsNothing = !isClass && context.flatMap(data.contextName).map(keepingNothing.contains) == true
        if !skipped.isInside {
          if let context { kept.contexts.append(context) }
          if let symbol { kept.imports.append(symbol) }
          isLeft = keepsNothing
        } else {
          if let context { dropped.append(context) }
          if isLeft, let context { left.contexts.append(context) }
          if isLeft, let symbol { left.imports.append(symbol) }
        }
        skipped.takeReference(isClass: isClass || keepsNothing)
        index += 5
      } else if byte < 0x20 {
        kept.isWhole = false
        index += 9
      } else {
        let wasInside = skipped.isInside
        if !wasInside, byte == UInt8(ascii: "A") { isRepeated = true }
        skipped.take(byte)
        if isLeft, wasInside, skipped.isInside { left.bytes.append(byte) } else { kept.bytes.append(byte) }
        index += 1
      }
    }
    if isRepeated { kept.contexts += dropped }
    return (kept, left, dropped)
  }
}
