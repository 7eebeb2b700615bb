import Lifeline
import LifelineHeap

/// The stored properties of a class according to the runtime of this process, with the parts of structs separate.
enum PropertyLayout {
  private enum Kind { static let structure: UInt = 0x200, opaque: UInt = 0x300 }

  /// Ascending by offset, including superclasses; a part of a struct has the name of the property.
  static func fields(of metadata: UInt64) -> [HeapField] {
    let type = unsafeBitCast(UInt(metadata), to: Any.Type.self)
    let size = UnsafeRawPointer(bitPattern: UInt(metadata))?.load(fromByteOffset: 24, as: UInt32.self) ?? 0
    return fields(of: type, size: Int(size), base: 0, name: nil).sorted { $0.offset < $1.offset }
  }

  private static func fields(of type: Any.Type, size: Int, base: Int, name outer: String?) -> [HeapField] {
    let all = ReflectedField.fields(of: type)
    var fields: [HeapField] = []
    for field in all {
      let end = all.map(\.offset).filter { $0 > field.offset }.min() ?? size
      guard end > field.offset else { continue }
      let name = outer ?? propertyName(field.name, field.type)
      let kind = unsafeBitCast(field.type, to: UnsafePointer<UInt>.self).pointee
      let offset = base + field.offset
      // To the runtime, a struct without fields is a pointer or a number.
      if field.isStrong, kind == Kind.structure, !ReflectedField.fields(of: field.type).isEmpty {
        fields += self.fields(of: field.type, size: end - field.offset, base: offset, name: name)
      } else {
        fields.append(
          HeapField(
            name: name, offset: offset, size: end - field.offset, ownership: field.isStrong ? .strong : .weak,
            content: field.isStrong && isNumber(field.type) ? .number : .anything))
      }
    }
    return fields
  }

  /// The primitive types, "Builtin.Int64" and "Builtin.FPIEEE64", hold no reference.
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
}
