/// Reads the parts of the program's own structs, so that a reference within a property's value has a name and an
/// ownership: `state.parent`, which is unowned.
///
/// A property's type refers to the struct's descriptor, but the offsets are in its metadata, to which only code refers,
/// so it is searched for in the data of the program's images. Generic structs have theirs elsewhere: they are only read
/// as elements of arrays and tables, whose own metadata refers to it.
///
/// Layouts: StructMetadata, StructDescriptor and FieldDescriptor of swift/ABI/Metadata.h and swift/RemoteInspection.
struct StructReader {
  enum Struct {
    static let metadataKind: UInt64 = 0x200, enumKind: UInt64 = 0x201
    static let contextKind: UInt32 = 17, enumContextKind: UInt32 = 18
    static let isGeneric: UInt32 = 0x80
  }

  static let deepest = 8
  /// Bytes of a value of unknown size.
  private static let largest = 4096

  let isOwn: (UInt64) -> Bool
  /// See `HeapMemory`.
  let typeName: ((UInt64) -> String?)?
  /// Metadata by descriptor, once requested.
  private var known: [UInt64: UInt64]?
  /// The same by name, of names that only one type has.
  private var named: [String: UInt64]?
  /// Metadata by descriptor, by the path of the library.
  var libraries: [String: [UInt64: UInt64]] = [:]
  /// How many more types one type may be made of.
  var typesLeft = 0

  init(isOwn: @escaping (UInt64) -> Bool, typeName: ((UInt64) -> String?)? = nil) {
    self.isOwn = isOwn
    self.typeName = typeName
  }

  /// The fields with structs replaced by their parts, named `property.part`; `types` are the addresses of the fields'
  /// mangled types.
  mutating func expanded(
    _ fields: [HeapField], types: [UInt64?], _ reader: inout MemoryReader, depth: Int = 0
  ) -> [HeapField] {
    zip(fields, types).flatMap { field, type in
      type.flatMap {
        textParts(of: field, $0, &reader) ?? numberParts(of: field) ?? parts(of: field, $0, &reader, depth: depth)
          ?? uncopiedParts(of: field, $0, &reader, depth: depth) ?? withoutPadding(field, $0, &reader)
      } ?? [field]
    }
  }

  private static let texts = ["SS", "SSSg"]

  /// The number of bytes of a String, which in an optional without a value is what was in the memory before, and its
  /// object.
  private func textParts(of field: HeapField, _ type: UInt64, _ reader: inout MemoryReader) -> [HeapField]? {
    guard field.size >= 16, field.ownership == .strong, let name = reader.text(at: type), Self.texts.contains(name)
    else { return nil }
    return [field.part(at: 0, size: 8, .number), field.part(at: 8, size: field.size - 8, .anything)]
  }

  /// A number that may be nil, and the byte that tells.
  private func numberParts(of field: HeapField) -> [HeapField]? {
    guard field.isOptionalWord, field.ownership == .strong, field.size > 8 else { return nil }
    return [field.part(at: 0, size: 8, .word), field.part(at: 8, size: field.size - 8, .number)]
  }

  /// The parts of a value of the program's own, generic or not, from its metadata: elements of an array or a table,
  /// which are `stride` bytes apart. Nil for other types, and if they are unreadable.
  mutating func parts(ofElement metadata: UInt64, stride: Int, _ reader: inout MemoryReader) -> [HeapField]? {
    guard reader.word(at: metadata) == Struct.metadataKind, let descriptor = reader.word(at: metadata &+ 8),
      isStruct(descriptor, mayBeGeneric: true, &reader), isOwn(descriptor)
    else { return nil }
    let element = HeapField(name: "", offset: 0, size: stride, content: .anything)
    return parts(of: element, metadata, descriptor, &reader, depth: 0)
  }

  /// The parts of a value in a box, named `Struct.part`, from its metadata. Nil for other types, and if they are
  /// unreadable.
  mutating func parts(ofBoxed metadata: UInt64, at offset: Int, _ reader: inout MemoryReader) -> [HeapField]? {
    guard let witnesses = reader.word(at: metadata &- 8), let size = reader.word(at: witnesses &+ 64),
      1...1 << 20 ~= size, let descriptor = reader.word(at: metadata &+ 8),
      let name = TypeName.ofContext(descriptor, &reader)?.split(separator: ".").last
    else { return nil }
    return parts(ofElement: metadata, stride: (Int(size) + 7) & ~7, &reader)?.map {
      HeapField(
        name: "\(name).\($0.name)", offset: offset + $0.offset, size: $0.size, ownership: $0.ownership,
        content: $0.content)
    }
  }

  /// A value of any other struct or enum in a box, named by its type; empty for other types.
  func whole(_ metadata: UInt64, at offset: Int, _ reader: inout MemoryReader) -> [HeapField] {
    guard let kind = reader.word(at: metadata), kind == Struct.metadataKind || kind == Struct.enumKind,
      let witnesses = reader.word(at: metadata &- 8), let size = reader.word(at: witnesses &+ 64),
      1...1 << 20 ~= size, let descriptor = reader.word(at: metadata &+ 8),
      let name = TypeName.ofContext(descriptor, &reader)?.split(separator: ".").last
    else { return [] }
    return [HeapField(name: String(name), offset: offset, size: (Int(size) + 7) & ~7, content: .anything)]
  }

  /// The same from the address of its mangled type.
  mutating func parts(ofCaptured type: UInt64, at offset: Int, _ reader: inout MemoryReader) -> [HeapField]? {
    guard let descriptor = FieldType.context(at: type, &reader),
      isStruct(descriptor, mayBeGeneric: false, &reader), isOwn(descriptor),
      let metadata = metadata(of: descriptor, &reader)
    else { return nil }
    return parts(ofBoxed: metadata, at: offset, &reader)
  }

  /// A generic struct of the program's own in a box, named by its type; where its parts are is not known. Nil for other
  /// types.
  func generic(ofCaptured type: UInt64, at offset: Int, _ reader: inout MemoryReader) -> [HeapField]? {
    guard let descriptor = FieldType.genericContext(at: type, &reader),
      isStruct(descriptor, mayBeGeneric: true, &reader), isOwn(descriptor),
      let name = TypeName.ofContext(descriptor, &reader)?.split(separator: ".").last
    else { return nil }
    return [HeapField(name: String(name), offset: offset, size: Self.largest, content: .anything)]
  }

  private mutating func parts(
    of field: HeapField, _ type: UInt64, _ reader: inout MemoryReader, depth: Int
  ) -> [HeapField]? {
    guard depth < Self.deepest, field.ownership == .strong, field.content == .anything,
      let descriptor = FieldType.context(at: type, &reader), isStruct(descriptor, mayBeGeneric: false, &reader),
      isOwn(descriptor), let metadata = metadata(of: descriptor, &reader)
    else { return nil }
    return parts(of: field, metadata, descriptor, &reader, depth: depth)
  }

  private mutating func parts(
    of field: HeapField, _ metadata: UInt64, _ descriptor: UInt64, _ reader: inout MemoryReader, depth: Int
  ) -> [HeapField]? {
    guard let witnesses = reader.word(at: metadata &- 8),
      let size = reader.word(at: witnesses &+ 64).map({ Int(truncatingIfNeeded: $0) }), 1...field.size ~= size,
      let vector = reader.half(at: descriptor + 24), vector > 0, vector < 1 << 12,
      let records = FieldReader.Records(of: descriptor, count: descriptor + 20, &reader)
    else { return nil }
    var parts: [(offset: Int, record: FieldReader.Record)] = []
    for index in 0..<records.count {
      let place = metadata &+ UInt64(vector) * 8 &+ UInt64(index) * 4
      guard let offset = reader.half(at: place).map(Int.init), offset < size else { return nil }
      parts.append((offset, records.record(index, &reader)))
    }
    parts.sort { $0.offset < $1.offset }
    // Several parts at one offset, all but one of them empty, are not distinguished, as invalid memory could have many.
    guard parts.first?.offset == 0, zip(parts, parts.dropFirst()).allSatisfy({ $0.offset < $1.offset }) else {
      return nil
    }
    let fields = parts.enumerated().map { index, part in
      let end = index + 1 < parts.count ? parts[index + 1].offset : field.size
      let (name, isLazy) = (part.record.name, part.record.isLazy)
      let type = part.record.type.map { FieldType(at: $0, size: end - part.offset, isLazy: isLazy, &reader) }
      let clearing = type?.clearing ?? .unknown
      return HeapField(
        name: name.isEmpty ? field.name : field.name.isEmpty ? name : "\(field.name).\(name)",
        offset: field.offset + part.offset,
        size: end - part.offset, ownership: type?.ownership ?? .strong, content: type?.content ?? .anything,
        isConstant: field.isConstant,
        clearing: field.clearing == .byNil && clearing == .never ? .withValue : clearing)
    }
    return expanded(fields, types: parts.map(\.record.type), &reader, depth: depth + 1)
  }

  /// Whether it is a struct of the program. If the runtime is linked in, the toolchain's structs are in the program's
  /// image as well.
  private func isStruct(_ descriptor: UInt64, mayBeGeneric: Bool, _ reader: inout MemoryReader) -> Bool {
    guard let flags = reader.half(at: descriptor), flags & 0x1F == Struct.contextKind,
      mayBeGeneric || flags & Struct.isGeneric == 0,
      let name = TypeName.ofContext(descriptor, &reader)
    else { return false }
    return !TypeName.isOfToolchain(name)
  }

  mutating func metadata(of descriptor: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    if known == nil { known = allMetadata(isOwn, &reader) }
    return known?[descriptor]
  }

  /// The parts of a value of the program's own struct, by its full name; nil for other types.
  mutating func parts(
    of field: HeapField, named name: String, _ reader: inout MemoryReader, depth: Int
  ) -> [HeapField]? {
    if known == nil { known = allMetadata(isOwn, &reader) }
    if named == nil {
      var all: [String: [UInt64]] = [:]
      for descriptor in (known ?? [:]).keys {
        if let name = TypeName.ofContext(descriptor, &reader) { all[name, default: []].append(descriptor) }
      }
      named = all.compactMapValues { $0.count == 1 ? $0[0] : nil }
    }
    guard depth < Self.deepest, let descriptor = named?[name], isStruct(descriptor, mayBeGeneric: false, &reader),
      let metadata = known?[descriptor]
    else { return nil }
    return parts(of: field, metadata, descriptor, &reader, depth: depth)
  }

  /// Two adjacent words, the kind and the descriptor of a struct or an enum. O(data of the images).
  func allMetadata(_ isOfImage: (UInt64) -> Bool, _ reader: inout MemoryReader) -> [UInt64: UInt64] {
    var found: [UInt64: UInt64] = [:]
    for (index, region) in reader.source.regions.enumerated()
    where region.isReadable && !region.isExecutable && isOfImage(region.addresses.lowerBound) {
      guard let bytes = reader.source.bytes(ofRegion: index) else { continue }
      let words = region.addresses.count / 8
      for word in 0..<max(0, words - 1) {
        let kind = bytes.load(fromByteOffset: word * 8, as: UInt64.self)
        guard kind == Struct.metadataKind || kind == Struct.enumKind else { continue }
        let descriptor = bytes.load(fromByteOffset: word * 8 + 8, as: UInt64.self)
        guard descriptor & 3 == 0, isOfImage(descriptor), let flags = reader.half(at: descriptor),
          flags & 0x1F == (kind == Struct.enumKind ? Struct.enumContextKind : Struct.contextKind)
        else { continue }
        found[descriptor] = region.addresses.lowerBound + UInt64(word) * 8
      }
    }
    return found
  }
}
