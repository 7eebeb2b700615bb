/// Reads the stored properties of a class and its superclasses: names from the reflection metadata, offsets from the
/// class's own offset vector.
enum FieldReader {
  private struct Bounds {
    static let hasResilientSuperclass: UInt32 = 1 << 29
  }

  struct Record {
    let name: String
    /// Address of the mangled type.
    let type: UInt64?
    /// A `let`.
    let isConstant: Bool
    let isLazy: Bool
    /// An enum's case whose payload is in a box.
    let isIndirect: Bool
  }

  private struct Property {
    let offset: Int
    let record: Record
    /// Of its offset in the metadata.
    let word: Int
    let isSmall: Bool
  }

  /// The reflection records of a class's or struct's own stored properties, or of an enum's cases.
  struct Records {
    let count: Int
    private let start: UInt64
    private let size: UInt64

    /// `count` is the address of the number of properties in the descriptor. Nil if any record is missing.
    init?(of descriptor: UInt64, count: UInt64, _ reader: inout MemoryReader) {
      guard let count = reader.half(at: count) else { return nil }
      self.init(ofCases: Int(count), of: descriptor, &reader)
    }

    /// The cases of an enum, those with a payload first.
    init?(ofCases count: Int, of descriptor: UInt64, _ reader: inout MemoryReader) {
      guard count <= 10_000, let fields = reader.relative(at: descriptor + 16),
        let size = reader.quarter(at: fields + 10), size >= 12, let recorded = reader.half(at: fields + 12),
        recorded == count
      else { return nil }
      self.count = count
      self.size = UInt64(size)
      start = fields + 16
    }

    private static let isIndirect: UInt32 = 1, isVariable: UInt32 = 2

    func record(_ index: Int, _ reader: inout MemoryReader) -> Record {
      let record = start + UInt64(index) * size
      let name = reader.relative(at: record + 8).flatMap { reader.text(at: $0) } ?? ""
      let lazy = "$__lazy_storage_$_"
      let flags = reader.half(at: record)
      return Record(
        name: name.hasPrefix(lazy) ? String(name.dropFirst(lazy.count)) : name, type: reader.relative(at: record + 4),
        isConstant: flags.map { $0 & Self.isVariable == 0 } ?? false, isLazy: name.hasPrefix(lazy),
        isIndirect: flags.map { $0 & Self.isIndirect != 0 } ?? true)
    }
  }

  /// Ascending by offset; empty if a class among them has no reflection metadata, because a missing property would be
  /// treated as one that keeps nothing.
  static func fields(of metadata: UInt64, _ structs: inout StructReader, _ reader: inout MemoryReader) -> [HeapField] {
    var found: [Property] = []
    var size: Int?
    var current = metadata
    for _ in 0..<64 {
      guard let shape = ClassShape(current, &reader) else { return [] }
      if size == nil { size = Int(shape.instanceSize) }
      guard let own = ownFields(of: current, shape, &reader) else { return [] }
      let fields = own.map { offset, record, word in
        Property(
          offset: offset, record: record, word: word,
          isSmall: isSmallArgument(record.type, of: current, shape.descriptor, &reader))
      }
      // A superclass's come first, also where an empty one has the same offset.
      found = fields + found
      if shape.superclass == 0 { break }
      current = shape.superclass
    }
    let end = size ?? 0
    let kept = found.filter { $0.offset >= 16 && $0.offset < end }.enumerated()
    let sorted = kept.sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }.map(\.element)
    let fields = sorted.enumerated().map { index, field in
      // Of several properties at one offset, all but the last are empty.
      let next = index + 1 < sorted.count ? sorted[index + 1].offset : end
      let size = next - field.offset
      let type = field.record.type.map { FieldType(at: $0, size: size, isLazy: field.record.isLazy, &reader) }
      return HeapField(
        name: field.record.name, offset: field.offset, size: size, ownership: type?.ownership ?? .strong,
        content: field.isSmall ? .number : type?.content ?? .anything, isConstant: field.record.isConstant,
        clearing: type?.clearing ?? .unknown, offsetWord: field.word)
    }
    return structs.expanded(fields, types: sorted.map(\.record.type), &reader)
  }

  /// Whether a property's type is a parameter of its generic class whose argument is smaller than a reference.
  private static func isSmallArgument(
    _ type: UInt64?, of metadata: UInt64, _ descriptor: UInt64, _ reader: inout MemoryReader
  ) -> Bool {
    guard let type, let name = reader.text(at: type), let index = ["x", "q_"].firstIndex(of: name) else { return false }
    let arguments = TypeName.genericArguments(of: metadata, descriptor, isClass: true, &reader)
    // The value witness table is found before the metadata; its ninth word is the size.
    guard index < arguments.count, let witnesses = reader.word(at: arguments[index] &- 8),
      let size = reader.word(at: witnesses &+ 64)
    else { return false }
    return 1..<8 ~= size
  }

  private static func ownFields(
    of metadata: UInt64, _ shape: ClassShape, _ reader: inout MemoryReader
  ) -> [(offset: Int, record: Record, word: Int)]? {
    guard let count = reader.half(at: shape.descriptor + 36), count <= 10_000 else { return nil }
    if count == 0 { return [] }
    guard let flags = reader.half(at: shape.descriptor),
      var vector = reader.half(at: shape.descriptor + 40).map(Int64.init),
      let records = Records(of: shape.descriptor, count: shape.descriptor + 36, &reader)
    else { return nil }
    if flags & Bounds.hasResilientSuperclass != 0 {
      guard let bounds = reader.relative(at: shape.descriptor + 24), let members = reader.word(at: bounds) else {
        return nil
      }
      vector += Int64(bitPattern: members) / 8
    }
    guard vector > 0, vector < 1 << 17 else { return nil }
    var result: [(offset: Int, record: Record, word: Int)] = []
    for index in 0..<records.count {
      let word = (Int(vector) + index) * 8
      guard let offset = reader.word(at: metadata + UInt64(word)), offset <= 1 << 24 else { return nil }
      result.append((Int(offset), records.record(index, &reader), word))
    }
    return result
  }
}
