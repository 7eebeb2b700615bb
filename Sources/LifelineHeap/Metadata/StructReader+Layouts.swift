/// Layouts of structs and enums, of the program and of the libraries.
extension StructReader {
  private static let isIncomplete: UInt32 = 0x40_0000
  /// Types that a type may be made of: in invalid memory each could have many properties, and each of these as well.
  private static let mostTypes = 1_000

  /// Whether another type may be read; `depth` is 0 for one that is not a part of another.
  mutating func mayRead(depth: Int) -> Bool {
    if depth == 0 { typesLeft = Self.mostTypes }
    typesLeft -= 1
    return typesLeft >= 0
  }

  /// Of a type that is not generic, from its metadata. The compiler leaves it out if nothing needs it.
  mutating func layout(of descriptor: UInt64, depth: Int, _ reader: inout MemoryReader) -> ValueLayout? {
    let metadata = isOwn(descriptor) ? metadata(of: descriptor, &reader) : libraryMetadata(of: descriptor, &reader)
    guard let metadata else { return layout(of: descriptor, [], depth: depth + 1, &reader) }
    guard let witnesses = reader.word(at: metadata &- 8), let size = reader.word(at: witnesses &+ 64),
      size <= ValueLayout.largest, let flags = reader.half(at: witnesses &+ 80), flags & Self.isIncomplete == 0,
      let extraInhabitants = reader.half(at: witnesses &+ 84)
    else { return nil }
    let alignment = Int(flags & 0xFF) + 1
    guard alignment & (alignment - 1) == 0, alignment <= 16 else { return nil }
    return ValueLayout(Int(size), alignment: alignment, extraInhabitants: Int(extraInhabitants))
  }

  /// From the types of the properties or cases, with these generic arguments: nothing leads from the descriptor to the
  /// metadata of a type with these arguments.
  mutating func layout(
    of descriptor: UInt64, _ arguments: [ValueLayout?], depth: Int, _ reader: inout MemoryReader
  ) -> ValueLayout? {
    // What C declares has a layout of its own.
    guard depth < Self.deepest, let flags = reader.half(at: descriptor),
      TypeName.ofContext(descriptor, &reader)?.hasPrefix("__C.") != true
    else { return nil }
    switch flags & 0x1F {
    case Struct.contextKind:
      guard let records = FieldReader.Records(of: descriptor, count: descriptor + 20, &reader), records.count <= 64
      else { return nil }
      let parts = (0..<records.count).compactMap { index in
        records.record(index, &reader).type.flatMap {
          MangledLayout.layout(at: $0, arguments: arguments, depth: depth, &self, &reader)
        }
      }
      return parts.count == records.count ? ValueLayout(parts).withoutReferences : nil
    case Struct.enumContextKind: return cases(of: descriptor, arguments, depth: depth, &reader)
    default: return nil
    }
  }

  /// The cases with a payload precede the others. Where the bits that several payloads leave unused depend on the
  /// arguments, a byte of its own tells the cases apart.
  private mutating func cases(
    of descriptor: UInt64, _ arguments: [ValueLayout?], depth: Int, _ reader: inout MemoryReader
  ) -> ValueLayout? {
    guard let payloads = reader.half(at: descriptor + 20).map({ Int($0 & 0xFF_FFFF) }),
      let empty = reader.half(at: descriptor + 24).map(Int.init), payloads <= 64, empty <= 256,
      let records = FieldReader.Records(ofCases: payloads + empty, of: descriptor, &reader)
    else { return nil }
    if payloads == 0 { return empty > 1 ? ValueLayout(1, extraInhabitants: 256 - empty) : nil }
    var values: [ValueLayout] = []
    var isGeneric = false
    for index in 0..<payloads {
      let record = records.record(index, &reader)
      if record.isIndirect {
        values.append(ValueLayout(.object))
        continue
      }
      guard let type = record.type,
        let value = MangledLayout.layout(at: type, arguments: arguments, depth: depth, &self, &reader)
      else { return nil }
      values.append(value)
      isGeneric = isGeneric || MangledLayout.layout(at: type, depth: depth, &self, &reader) == nil
    }
    if values.count == 1 { return values[0].with(cases: empty).withoutReferences }
    guard isGeneric, empty == 0, areArgumentsAny(of: descriptor, &reader) else { return nil }
    return ValueLayout(
      values.map(\.size).max()! + 1, alignment: values.map(\.alignment).max()!, extraInhabitants: 256 - payloads)
  }

  /// Whether an enum's generic arguments may be any types, or errors: a class's reference leaves bits unused.
  private func areArgumentsAny(of descriptor: UInt64, _ reader: inout MemoryReader) -> Bool {
    // TypeGenericContextDescriptorHeader of swift/ABI/GenericContext.h follows the descriptor.
    reader.quarter(at: descriptor + 38) == 0 || TypeName.ofContext(descriptor, &reader) == "Swift.Result"
  }

  /// Searched for in the data of the library of the descriptor, once. O(data of the library) the first time.
  private mutating func libraryMetadata(of descriptor: UInt64, _ reader: inout MemoryReader) -> UInt64? {
    guard let index = reader.source.region(at: descriptor) else { return nil }
    let path = reader.source.regions[index].path
    guard !path.isEmpty else { return nil }
    if libraries[path] == nil {
      let parts = reader.source.regions.filter { $0.path == path }.map(\.addresses)
      libraries[path] = allMetadata({ address in parts.contains { $0.contains(address) } }, &reader)
    }
    return libraries[path]?[descriptor]
  }
}
