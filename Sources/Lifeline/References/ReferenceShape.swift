/// A decomposed reference: what it contains besides its object.
///
/// A value of a class type is one word. One of a class-constrained protocol type is that word and one for each
/// protocol's witness table (docs/ABI/TypeLayout.rst, "Class Existential Containers"). An optional of either has the
/// same layout; nil is a first word of 0, and the nil of a nested optional one of 1, which is stored here in place of a
/// witness table.
@frozen @usableFromInline
struct ReferenceShape: Sendable {
  @usableFromInline var first: UInt = 0
  @usableFromInline var second: UInt = 0
  @usableFromInline var third: UInt = 0

  @inlinable @inline(__always) init() {}

  @usableFromInline @_transparent
  init<Value>(of value: Value) {
    if Self.isOneWord(Value.self) {
      if Self.optionals(Value.self) > 1, Self.address(value) == 1 { first = 1 }
      return
    }
    self = withUnsafeBytes(of: value) { bytes in
      var shape = Self()
      shape.first = bytes.load(as: UInt.self) == 1 ? 1 : bytes.load(fromByteOffset: 8, as: UInt.self)
      if bytes.count > 16 { shape.second = bytes.load(fromByteOffset: 16, as: UInt.self) }
      if bytes.count > 24 { shape.third = bytes.load(fromByteOffset: 24, as: UInt.self) }
      return shape
    }
  }

  /// Known once the type is; then the other path is not even compiled.
  @usableFromInline @_transparent
  static func isOneWord<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size == MemoryLayout<UInt>.size }

  /// The address of the referenced object, 0 for nil and 1 for an outer nil. Nothing is retained.
  @usableFromInline @_transparent
  static func address<Value>(_ value: Value) -> UInt {
    if isOneWord(Value.self) { return unsafeBitCast(value, to: UInt.self) }
    return withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
  }

  /// The referenced object.
  @usableFromInline @_transparent
  static func object<Value>(_ value: Value) -> AnyObject? {
    if optionals(Value.self) > 1, address(value) <= 1 { return nil }
    if isOneWord(Value.self) { return unsafeBitCast(value, to: AnyObject?.self) }
    return withUnsafeBytes(of: value) { $0.load(as: AnyObject?.self) }
  }

  /// The nesting depth of an optional type, as it is when known, because an optional's nil is that of the level inside
  /// it.
  @usableFromInline @_transparent
  static func optionals<Value>(_ type: Value.Type) -> UInt { address(Value?.none) }

  /// Whether nothing of it is used, because values of the type are one word, their object.
  @usableFromInline @_transparent
  static func isEmpty<Value>(_ type: Value.Type) -> Bool { isOneWord(type) && optionals(type) <= 1 }

  /// The object's offset in a weak or unowned reference: after the declaration.
  @usableFromInline @_transparent
  static func objectPlace<Reference>(_ reference: UnsafeMutablePointer<Reference>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(reference) + MemoryLayout<Declaration>.size
  }

  /// Reassembles a value.
  @usableFromInline @_transparent
  func join<Value>(_ object: AnyObject?, as type: Value.Type) -> Value {
    if Self.optionals(Value.self) > 1, object == nil { return join(first == 1 ? 1 : 0 as UInt, as: type) }
    if Self.isOneWord(Value.self) { return unsafeBitCast(object, to: Value.self) }
    let whole = (object, first, second, third)
    return withUnsafeBytes(of: whole) { $0.load(as: Value.self) }
  }

  /// The same for an object's bits.
  @usableFromInline @_transparent
  func join<Value>(_ bits: UInt, as type: Value.Type) -> Value {
    if Self.isOneWord(Value.self) { return unsafeBitCast(bits, to: Value.self) }
    let whole = (bits, first, second, third)
    return withUnsafeBytes(of: whole) { $0.load(as: Value.self) }
  }
}
