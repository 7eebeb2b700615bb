import LifelineLifetimes

/// The name of a class's stored property, found by its offset: "Detail.parent".
struct PropertyName {
  let text: String

  /// Nil if there is no such property. O(properties of the class).
  init?(class type: Any.Type, offset: Int) {
    guard let field = ReflectedField.fields(of: type).first(where: { $0.offset == offset }) else { return nil }
    let owner = ObjectID(className: _typeName(Self.declaring(type, offset)), number: 1).shortClassName
    // A property wrapper's storage is called "_parent".
    text = "\(owner).\(field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name)"
  }

  /// The class that declares the property at an offset: the outermost superclass whose instances extend that far.
  ///
  /// swift/ABI/Metadata.h, TargetClassMetadata: the superclass is 8 bytes after the address point, the size of
  /// instances 24.
  private static func declaring(_ type: Any.Type, _ offset: Int) -> Any.Type {
    var metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    while let superclass = metadata.load(fromByteOffset: 8, as: UnsafeRawPointer?.self),
      Int(superclass.load(fromByteOffset: 24, as: UInt32.self)) > offset
    { metadata = superclass }
    return unsafeBitCast(metadata, to: Any.Type.self)
  }
}
