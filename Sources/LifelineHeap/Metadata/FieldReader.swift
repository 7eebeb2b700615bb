/// Reads the stored properties of a class and its superclasses: names from the reflection metadata, offsets from the
/// class's own vector of them.
enum FieldReader {
  private struct Bounds {
    static let hasResilientSuperclass: UInt32 = 1 << 29
  }

  private struct Field {
    let name: String
    let offset: Int
    /// Address of its mangled type.
    let type: UInt64?
  }

  /// Ascending by offset; empty when a class among them has no reflection metadata, since a property left out would be
  /// taken for one that keeps nothing.
  static func fields(of metadata: UInt64, _ reader: inout MemoryReader) -> [HeapField] {
    var found: [Field] = []
    var size: Int?
    var current = metadata
    for _ in 0..<64 {
      guard let shape = ClassShape(current, &reader) else { return [] }
      if size == nil { size = Int(shape.instanceSize) }
      guard let own = ownFields(of: current, shape, &reader) else { return [] }
      found += own
      if shape.superclass == 0 { break }
      current = shape.superclass
    }
    let end = size ?? 0
    let sorted = found.filter { $0.offset >= 16 && $0.offset < end }.sorted { $0.offset < $1.offset }
    return sorted.enumerated().map { index, field in
      let next = sorted[(index + 1)...].first { $0.offset > field.offset }?.offset ?? end
      let size = next - field.offset
      let type = field.type.map { FieldType(at: $0, size: size, &reader) }
      return HeapField(
        name: field.name, offset: field.offset, size: size, ownership: type?.ownership ?? .strong,
        content: type?.content ?? .anything)
    }
  }

  private static func ownFields(
    of metadata: UInt64, _ shape: ClassShape, _ reader: inout MemoryReader
  ) -> [Field]? {
    guard let count = reader.half(at: shape.descriptor + 36), count <= 10_000 else { return nil }
    if count == 0 { return [] }
    guard let flags = reader.half(at: shape.descriptor),
      var vector = reader.half(at: shape.descriptor + 40).map(Int64.init),
      let fields = reader.relative(at: shape.descriptor + 16), let recordSize = reader.quarter(at: fields + 10),
      recordSize >= 12, let recorded = reader.half(at: fields + 12), recorded == count
    else { return nil }
    if flags & Bounds.hasResilientSuperclass != 0 {
      guard let bounds = reader.relative(at: shape.descriptor + 24), let members = reader.word(at: bounds) else {
        return nil
      }
      vector += Int64(bitPattern: members) / 8
    }
    guard vector > 0, vector < 1 << 17 else { return nil }
    var result: [Field] = []
    for index in 0..<UInt64(count) {
      let record = fields + 16 + index * UInt64(recordSize)
      guard let offset = reader.word(at: metadata + (UInt64(vector) + index) * 8), offset <= 1 << 24 else { return nil }
      let name = reader.relative(at: record + 8).flatMap { reader.text(at: $0) } ?? ""
      result.append(
        Field(name: propertyName(name), offset: Int(offset), type: reader.relative(at: record + 4)))
    }
    return result
  }

  private static func propertyName(_ name: String) -> String {
    name.hasPrefix("$__lazy_storage_$_") ? String(name.dropFirst(18)) : name
  }
}
