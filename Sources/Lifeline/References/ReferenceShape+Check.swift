extension ReferenceShape {
  /// Stops the program if a type is not a reference: a class, a class-constrained protocol, or an optional of one.
  ///
  /// The language has no constraint for "a class or the existential of a class-constrained protocol", so the compiler
  /// cannot report it.
  @usableFromInline @_transparent
  static func check<Value>(_ type: Value.Type) {
    if isOneWord(type), Value.self is AnyClass { return }
    checkMetadata(type)
  }

  /// Metadata kinds (swift/ABI/MetadataKind.def): 0x202 optional, 0x303 existential, 0x307 existential of a constrained
  /// protocol; a class has 0 or more than 0x7FF.
  @usableFromInline
  static func checkMetadata<Value>(_ type: Value.Type) {
    var metadata = unsafeBitCast(type as Any.Type, to: UnsafeRawPointer.self)
    var kind = metadata.load(as: UInt.self)
    while kind == 0x202 {
      metadata = metadata.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
      kind = metadata.load(as: UInt.self)
    }
    if kind == 0 || kind > 0x7FF { return }
    let isOfClasses =
      switch kind {
      // ExistentialTypeFlags: the highest bit means that it is not limited to classes.
      case 0x303: metadata.load(fromByteOffset: 8, as: UInt32.self) & 0x8000_0000 == 0
      // ExtendedExistentialTypeShapeFlags: the low byte is 1 for existentials of classes.
      case 0x307: metadata.load(fromByteOffset: 8, as: UnsafeRawPointer.self).load(as: UInt32.self) & 0xFF == 1
      default: false
      }
    precondition(isOfClasses, "\(type) is not a class type, so it cannot be tracked")
    precondition(
      MemoryLayout<Value>.size <= 4 * MemoryLayout<UInt>.size,
      "\(type) is composed of more than three protocols, which a tracked reference cannot hold")
  }
}
