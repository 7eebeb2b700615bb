/// Determines the types of heap objects from the metadata that their first word points to.
///
/// Layouts: swift/ABI/Metadata.h and MetadataKind.def, for runtimes without Objective-C.
struct ClassReader {
  private(set) var types: [HeapType] = [.memory]
  /// Bytes of an instance without anything allocated after it; 0 if unknown.
  private(set) var instanceSizes: [UInt32] = [0]
  var reader: MemoryReader
  private var known: [UInt64: UInt32] = [:]
  private var unknown: Set<UInt64> = []
  /// Cached results by some bits of the metadata's address, because a heap has far more objects than classes.
  private var recent = [(metadata: UInt64, type: Int)](repeating: (0, 0), count: 256)
  /// The type of boxes of errors, −1 if there is none yet; and the types of those with a known error, by its metadata.
  private var box = -1
  private var boxes: [UInt64: Int] = [:]
  private let isOwn: (UInt64) -> Bool
  private let isRuntimeLinkedIn: Bool
  private var structs: StructReader
  private let fields: ((UInt64) -> [HeapField]?)?

  enum Kind {
    static let localVariable: UInt64 = 0x400, genericLocalVariable: UInt64 = 0x500, error: UInt64 = 0x501
    static let task: UInt64 = 0x502, job: UInt64 = 0x503, lastEnumerated: UInt64 = 0x7FF
  }

  /// `isOwn` returns whether an address belongs to one of the program's own images. If the runtime is linked into the
  /// program, the toolchain's classes are in these as well, and recognized by their modules.
  init(_ memory: HeapMemory, isRuntimeLinkedIn: Bool, isOwn: @escaping (UInt64) -> Bool) {
    self.isRuntimeLinkedIn = isRuntimeLinkedIn
    reader = MemoryReader(memory.source)
    fields = memory.fields
    self.isOwn = isOwn
    structs = StructReader(isOwn: isOwn, typeName: memory.typeName)
  }

  /// The type of an object whose first word is `metadata`, 0 if it is not one; `size` is its size in bytes.
  mutating func type(of metadata: UInt64, size: Int) -> Int {
    guard metadata & 7 == 0, metadata >= 4096, metadata >> 47 == 0, size >= 16 else { return 0 }
    let slot = Int(metadata >> 3 ^ metadata >> 11) & 255
    if recent[slot].metadata != metadata { recent[slot] = (metadata, index(of: metadata)) }
    let type = recent[slot].type
    return Int(instanceSizes[type]) <= size ? type : 0
  }

  /// The same for an object's bytes. The box of an error has the error's metadata in its third word.
  mutating func type(of object: UnsafeRawPointer, size: Int) -> Int {
    let type = type(of: object.load(as: UInt64.self), size: size)
    return type == box && size > Self.boxHeader ? typeOfBox(object.load(fromByteOffset: 16, as: UInt64.self)) : type
  }

  /// Bytes before the error (SwiftError of the runtime without Objective-C).
  private static let boxHeader = 32

  /// A box of errors whose only property is the error, or has the parts of the program's struct.
  private mutating func typeOfBox(_ error: UInt64) -> Int {
    if let type = boxes[error] { return type }
    boxes[error] = box
    let fields =
      structs.parts(ofBoxed: error, at: Self.boxHeader, &reader)
      ?? structs.whole(error, at: Self.boxHeader, &reader)
    guard !fields.isEmpty else { return box }
    boxes[error] = types.count
    types.append(HeapType(kind: .other, name: types[box].name, metadata: types[box].metadata, fields: fields))
    instanceSizes.append(0)
    return types.count - 1
  }

  /// The parts of the elements of an array or a table, see `StructReader`.
  mutating func parts(ofElement metadata: UInt64, stride: Int) -> [HeapField] {
    structs.parts(ofElement: metadata, stride: stride, &reader) ?? []
  }

  /// The type's index, for any size.
  private mutating func index(of metadata: UInt64) -> Int {
    if let type = known[metadata] { return Int(type) }
    guard !unknown.contains(metadata) else { return 0 }
    guard let (type, instanceSize) = read(metadata) else {
      if unknown.count < 100_000 { unknown.insert(metadata) }
      return 0
    }
    known[metadata] = UInt32(types.count)
    if type.kind == .other { box = types.count }
    types.append(type)
    instanceSizes.append(instanceSize)
    return types.count - 1
  }

  private mutating func read(_ metadata: UInt64) -> (HeapType, UInt32)? {
    guard let kind = reader.word(at: metadata) else { return nil }
    switch kind {
    case Kind.localVariable, Kind.genericLocalVariable:
      guard let offset = reader.half(at: metadata + 8), offset <= 4096 else { return nil }
      let isBox = kind == Kind.genericLocalVariable
      let (fields, size) = readContext(metadata, isBox: isBox)
      return (
        HeapType(
          kind: isBox ? .box : .closure, name: isBox ? "(box)" : "(closure context)", metadata: metadata,
          isOwn: isOwn(metadata), fields: fields), UInt32(size)
      )
    case Kind.error: return (HeapType(kind: .other, name: "(error)", metadata: metadata), 0)
    case Kind.task, Kind.job: return (HeapType(kind: .task, name: "(task)", metadata: metadata), 0)
    case 0, (Kind.lastEnumerated + 1)...: return readClass(metadata)
    default: return nil
    }
  }

  /// The parts of a box's struct, or the captures that are one reference, and the size of a context, 0 if unknown. A
  /// box of a known type and the context of a closure have the same metadata.
  private mutating func readContext(_ metadata: UInt64, isBox: Bool) -> (fields: [HeapField], size: Int) {
    guard let offset = reader.half(at: metadata + 8).map(Int.init), let value = reader.word(at: metadata + 16) else {
      return ([], 0)
    }
    if isBox { return (structs.parts(ofBoxed: value, at: offset, &reader) ?? [], 0) }
    let captures = CaptureReader.layout(value, start: offset, &structs, &reader)
    let parts = CaptureReader.only(value, &reader).flatMap { type in
      structs.parts(ofCaptured: type, at: offset, &reader) ?? structs.generic(ofCaptured: type, at: offset, &reader)
    }
    return (parts ?? captures.references, captures.end)
  }

  private mutating func readClass(_ metadata: UInt64) -> (HeapType, UInt32)? {
    guard let shape = ClassShape(metadata, &reader), let name = TypeName.ofNominal(metadata, &reader) else {
      return nil
    }
    let fields = fields?(metadata) ?? FieldReader.fields(of: metadata, &structs, &reader)
    let isOwn = isOwn(shape.descriptor) && !(isRuntimeLinkedIn && TypeName.isOfToolchain(name))
    let isStorage = !isOwn && Self.isStorage(name)
    return (
      HeapType(kind: isStorage ? .storage : .object, name: name, metadata: metadata, isOwn: isOwn, fields: fields),
      shape.instanceSize
    )
  }

  private static func isStorage(_ name: String) -> Bool {
    name.hasPrefix("Swift.") && (name.contains("Storage") || name.contains("Buffer"))
  }
}
