/// A reference taken apart: the object, and what else an existential carries.
///
/// A value of a class type is one word. One of a class-constrained protocol type is that word and one for each
/// protocol's witness table (docs/ABI/TypeLayout.rst, "Class Existential Containers"). An optional of either has the same
/// layout; nil is a first word of 0.
@frozen @usableFromInline
struct ReferenceShape: Sendable {
  @usableFromInline var first: UInt = 0
  @usableFromInline var second: UInt = 0
  @usableFromInline var third: UInt = 0

  @inlinable @inline(__always) init() {}

  /// The address of the object that a reference leads to, 0 for nil. Nothing is retained.
  @inlinable @inline(__always)
  static func address<Value>(_ value: borrowing Value) -> UInt {
    withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
  }

  /// Takes a value apart; `object` gets its object, retained.
  @inlinable @inline(__always)
  static func split<Value>(_ value: Value) -> (object: AnyObject?, shape: ReferenceShape) {
    if MemoryLayout<Value>.size == MemoryLayout<UInt>.size { return (unsafeBitCast(value, to: AnyObject?.self), ReferenceShape()) }
    return withUnsafeBytes(of: value) { bytes in
      let size = bytes.count
      var shape = ReferenceShape()
      shape.first = bytes.load(fromByteOffset: 8, as: UInt.self)
      if size > 16 { shape.second = bytes.load(fromByteOffset: 16, as: UInt.self) }
      if size > 24 { shape.third = bytes.load(fromByteOffset: 24, as: UInt.self) }
      return (bytes.load(as: AnyObject?.self), shape)
    }
  }

  /// Puts a value together again.
  @inlinable @inline(__always)
  func join<Value>(_ object: AnyObject?, as type: Value.Type) -> Value {
    if MemoryLayout<Value>.size == MemoryLayout<UInt>.size { return unsafeBitCast(object, to: Value.self) }
    let whole = (object, first, second, third)
    return withUnsafeBytes(of: whole) { $0.load(as: Value.self) }
  }

  /// Stops the program when a type is no reference: no class, class-constrained protocol, or optional of one.
  @inlinable @inline(__always)
  static func check<Value>(_ type: Value.Type) {
    if MemoryLayout<Value>.size == 8, Value.self is AnyClass { return }
    checkMetadata(type)
  }

  /// Metadata kinds (swift/ABI/MetadataKind.def): 0x202 optional, 0x303 existential; a class has 0 or more than 0x7FF.
  @usableFromInline
  static func checkMetadata(_ type: Any.Type) {
    var metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    var kind = metadata.load(as: UInt.self)
    if kind == 0x202 {
      metadata = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
      kind = metadata.load(as: UInt.self)
    }
    if kind == 0 || kind > 0x7FF { return }
    // ExistentialTypeFlags: the highest bit says that it is not limited to classes; the low 24 count witness tables.
    let flags = kind == 0x303 ? metadata.load(fromByteOffset: 8, as: UInt32.self) : UInt32.max
    precondition(flags & 0x8000_0000 == 0, "\(type) is no class type, so no tracked reference can lead to it")
    precondition(flags & 0xFF_FFFF <= 3, "\(type) is made of more than three protocols, which a tracked reference cannot hold")
  }
}
