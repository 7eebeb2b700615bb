/// A stored property of a class or struct, as the runtime's reflection reports it; a class's include its superclasses'.
package struct ReflectedField {
  package let name: String
  package let type: Any.Type
  /// Bytes from the start of the value or object.
  package let offset: Int
  /// Neither weak nor unowned.
  package let isStrong: Bool

  package static func fields(of type: Any.Type) -> [ReflectedField] {
    (0..<recursiveCount(type)).map { index in
      var facts = FieldFacts()
      let child = childMetadata(type, index, &facts)
      defer { facts.free?(facts.name) }
      return ReflectedField(
        name: facts.name.map { String(cString: $0) } ?? "?", type: child, offset: childOffset(type, index),
        isStrong: facts.isStrong)
    }
  }
}

/// The runtime's facts about a field (swift/stdlib/public/core/ReflectionMirror.swift, _FieldReflectionMetadata).
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
