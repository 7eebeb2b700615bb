import Lifeline

/// A part of an object that may keep others alive, and the property that it belongs to.
struct HeapField {
  let name: String
  /// Bytes from the object's address.
  let bytes: Range<Int>

  /// The strong parts of a class's instances, superclasses included: weak and unowned properties are left out, also
  /// those inside of structs.
  static func fields(of type: Any.Type, size: Int) -> [HeapField] { fields(of: type, size: size, base: 0, name: nil) }

  private static func fields(of type: Any.Type, size: Int, base: Int, name outer: String?) -> [HeapField] {
    let all = ReflectedField.fields(of: type)
    var fields: [HeapField] = []
    for field in all where field.isStrong && !isNumber(field.type) {
      let end = all.map(\.offset).filter { $0 > field.offset }.min() ?? size
      guard end > field.offset else { continue }
      let name = outer ?? propertyName(field.name, field.type)
      let kind = unsafeBitCast(field.type, to: UnsafePointer<UInt>.self).pointee
      if kind == Kind.structure {
        fields += self.fields(of: field.type, size: end - field.offset, base: base + field.offset, name: name)
        // A struct without fields of its own is a pointer or a number to the runtime.
        if !ReflectedField.fields(of: field.type).isEmpty { continue }
      }
      fields.append(HeapField(name: name, bytes: base + field.offset..<base + end))
    }
    return fields
  }

  /// The numbers that all others are made of, "Builtin.Int64" and "Builtin.FPIEEE64", hold no reference.
  private static func isNumber(_ type: Any.Type) -> Bool {
    guard unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee == Kind.opaque else { return false }
    let name = _typeName(type)
    return name.hasPrefix("Builtin.Int") || name.hasPrefix("Builtin.FP")
  }

  /// The storage of a property wrapper is called "_name".
  private static func propertyName(_ name: String, _ type: Any.Type) -> String {
    let isWrapper = name.hasPrefix("_") && String(describing: type).hasPrefix("Tracked")
    return isWrapper ? String(name.dropFirst()) : name.replacing("$__lazy_storage_$_", with: "")
  }

  private enum Kind { static let structure: UInt = 0x200, opaque: UInt = 0x300 }
}
