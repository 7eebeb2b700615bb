import LifelineSymbolication

extension ClassTable {
  /// The strong property at a place in a class's objects, in bytes, if it can refer to an object of `target`; nil if
  /// that is not known.
  func property(at place: Int, of className: String, referringTo target: String) -> String? {
    property(at: place, of: className, referringTo: target, [.strong])?.name
  }

  /// The same for a reference that does not own the object.
  func reference(at place: Int, of className: String, to target: String) -> StoredProperty? {
    property(at: place, of: className, referringTo: target, [.unowned, .unownedUnsafe, .unmanaged])
  }

  private func property(
    at place: Int, of className: String, referringTo target: String, _ strengths: Set<StoredProperty.Strength>
  ) -> StoredProperty? {
    // A superclass from elsewhere has its properties before those of the others.
    let known = lineage(className).prefix { stored($0) != nil }.flatMap { stored($0) ?? [] }
    guard let offset = known.compactMap(\.offset).filter({ $0 <= place }).max() else { return nil }
    // What a struct's property refers to is listed as well, and has no offset.
    if known.contains(where: { $0.offset == nil && !$0.name.contains(".") }) { return nil }
    let possible = Set(properties(of: className, referringTo: target, strengths).map(\.property.name))
    let there = known.filter { $0.offset == offset && possible.contains($0.name) }
    return there.count == 1 ? there[0] : nil
  }
}
