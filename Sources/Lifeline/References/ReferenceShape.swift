/// A reference taken apart: this is what it carries besides its object.
///
/// A value of a class type is one word. One of a class-constrained protocol type is that word and one for each
/// protocol's witness table (docs/ABI/TypeLayout.rst, "Class Existential Containers"). An optional of either has the
/// same layout; nil is a first word of 0, and the nil of an optional of an optional one of 1, which stands here in the
/// place of a witness table.
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

  /// Known when a type is: then the other path is not even compiled.
  @usableFromInline @_transparent
  static func isOneWord<Value>(_ type: Value.Type) -> Bool { MemoryLayout<Value>.size == MemoryLayout<UInt>.size }

  /// The address of the object that a reference leads to, 0 for nil and 1 for an outer nil. Nothing is retained.
  @usableFromInline @_transparent
  static func address<Value>(_ value: Value) -> UInt {
    if isOneWord(Value.self) { return unsafeBitCast(value, to: UInt.self) }
    return withUnsafeBytes(of: value) { $0.load(as: UInt.self) }
  }

  /// The object that a reference leads to.
  @usableFromInline @_transparent
  static func object<Value>(_ value: Value) -> AnyObject? {
    if optionals(Value.self) > 1, address(value) <= 1 { return nil }
    if isOneWord(Value.self) { return unsafeBitCast(value, to: AnyObject?.self) }
    return withUnsafeBytes(of: value) { $0.load(as: AnyObject?.self) }
  }

  /// How many optionals a type is one of; as it is when that is known, for an optional's nil is that of the number
  /// inside it.
  @usableFromInline @_transparent
  static func optionals<Value>(_ type: Value.Type) -> UInt { address(Value?.none) }

  /// Whether nothing of it is used: values of a type are one word, and it is their object.
  @usableFromInline @_transparent
  static func isEmpty<Value>(_ type: Value.Type) -> Bool { isOneWord(type) && optionals(type) <= 1 }

  /// Where the object of a weak or unowned reference stands in it: behind the declaration.
  @usableFromInline @_transparent
  static func objectPlace<Reference>(_ reference: UnsafeMutablePointer<Reference>) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(reference) + MemoryLayout<Declaration>.size
  }

  /// Puts a value together again.
  @usableFromInline @_transparent
  func join<Value>(_ object: AnyObject?, as type: Value.Type) -> Value {
    if Self.optionals(Value.self) > 1, object == nil { return join(first == 1 ? 1 : 0 as UInt, as: type) }
    if Self.isOneWord(Value.self) { return unsafeBitCast(object, to: Value.self) }
    let whole = (object, first, second, third)
    return withUnsafeBytes(of: whole) { $0.load(as: Value.self) }
  }

  /// The same, of an object's bits.
  @usableFromInline @_transparent
  func join<Value>(_ bits: UInt, as type: Value.Type) -> Value {
    if Self.isOneWord(Value.self) { return unsafeBitCast(bits, to: Value.self) }
    let whole = (bits, first, second, third)
    return withUnsafeBytes(of: whole) { $0.load(as: Value.self) }
  }
}
