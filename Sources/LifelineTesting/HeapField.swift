/// A part of an object that may keep others alive, and the property that it belongs to.
struct HeapField {
  let name: String
  /// Bytes from the object's address.
  let bytes: Range<Int>

  /// The strong parts of a class's instances, superclasses included: weak and unowned properties are left out, also
  /// those inside of structs.
  static func fields(of type: Any.Type, size: Int) -> [HeapField] { fields(of: type, size: size, base: 0, name: nil) }

  private static func fields(of type: Any.Type, size: Int, base: Int, name outer: String?) -> [HeapField] {
    let count = recursiveCount(type)
    let offsets = (0..<count).map { childOffset(type, $0) }
    var fields: [HeapField] = []
    for index in 0..<count {
      var facts = FieldFacts()
      let child = childMetadata(type, index, &facts)
      let own = facts.name.map { String(cString: $0) } ?? "?"
      facts.free?(facts.name)
      guard facts.isStrong, !isNumber(child) else { continue }
      let end = offsets.filter { $0 > offsets[index] }.min() ?? size
      guard end > offsets[index] else { continue }
      let name = outer ?? propertyName(own, child)
      let kind = unsafeBitCast(child, to: UnsafePointer<UInt>.self).pointee
      if kind == Kind.structure {
        fields += self.fields(of: child, size: end - offsets[index], base: base + offsets[index], name: name)
        // A struct without fields of its own is a pointer or a number to the runtime.
        if recursiveCount(child) > 0 { continue }
      }
      fields.append(HeapField(name: name, bytes: base + offsets[index]..<base + end))
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

/// What the runtime says of a field (swift/stdlib/public/core/ReflectionMirror.swift, _FieldReflectionMetadata).
private struct FieldFacts {
  var name: UnsafePointer<CChar>?
  var free: (@convention(c) (UnsafePointer<CChar>?) -> Void)?
  var isStrong = false
  var isVariable = false
}

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_ type: Any.Type) -> Int
@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func childMetadata(_ type: Any.Type, _ index: Int, _ facts: UnsafeMutablePointer<FieldFacts>) -> Any.Type
@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func childOffset(_ type: Any.Type, _ index: Int) -> Int
