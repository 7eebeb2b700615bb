/// What the structs and enums of one file store.
struct ValueFields {
  /// By the full name of the type.
  private(set) var fields: [String: [StoredProperty]] = [:]

  /// A struct in a struct in one …: so deep it is looked for what a property refers to.
  private static let depth = 4

  mutating func add(_ list: [StoredProperty], of type: String) { fields[type] = list }

  /// Generic types that keep none of their arguments, as a struct with a weak reference to one.
  var keepingNothing: Set<String> {
    Set(
      fields.filter { _, list in
        list.allSatisfy { field in
          let isKept = field.strength == .strong && (field.isParameter || field.isExistential || field.isPointer)
          return !isKept && !field.isFunction
        }
      }
      .keys)
  }

  /// The references that keep nothing alive, of types that have some.
  var referringValues: [String: [StoredProperty]] {
    fields.mapValues { $0.filter(\.strength.isUncounted) }.filter { !$0.value.isEmpty }
  }

  /// The references in a property's structs that keep nothing alive, as properties of the same object.
  func references(in property: StoredProperty) -> [StoredProperty] { references(in: property, Self.depth) }

  private func references(in property: StoredProperty, _ depth: Int) -> [StoredProperty] {
    guard depth > 0 else { return [] }
    return property.typeNames.flatMap { type in
      (fields[type] ?? []).flatMap { field in
        let inner = field.inside(type, in: property)
        return field.strength.isUncounted
          ? [inner] : field.strength == .strong ? references(in: inner, depth - 1) : []
      }
    }
  }
}
