/// A stored property of a class, as the reflection metadata in the program's file tells it.
public struct StoredProperty: Hashable, Sendable {
  /// How the property refers to an object; for a property that holds no reference, `strong`.
  public enum Strength: String, Sendable {
    case strong
    case weak
    case unowned
    /// unowned(unsafe): nobody counts it and nobody clears it.
    case unownedUnsafe = "unowned(unsafe)"
    /// `Unmanaged`: counted by hand, if at all.
    case unmanaged
  }

  public let name: String
  public let strength: Strength
  /// Full names of the types that its type is made of: the class itself, or the elements of a collection of it. None
  /// for a function: what a closure captured does not show in its type.
  public let typeNames: [String]
  /// The type is a protocol's existential: which class stands behind it is not written down.
  public let isExistential: Bool
  /// A pointer without a type, which may stand for a reference that is counted by hand.
  public let isPointer: Bool
  /// The type is, or is made of, a function type: what a closure captured stands behind it.
  public let isFunction: Bool

  public init(
    name: String, strength: Strength, typeNames: [String], isExistential: Bool = false, isPointer: Bool = false,
    isFunction: Bool = false
  ) {
    self.isFunction = isFunction
    self.isPointer = isPointer
    self.name = name
    self.strength = strength
    self.typeNames = typeNames
    self.isExistential = isExistential
  }

  /// The same as a property of a structure that a property holds: "link.target".
  func inside(_ outer: String) -> StoredProperty {
    StoredProperty(
      name: "\(outer).\(name)", strength: strength, typeNames: typeNames, isExistential: isExistential,
      isPointer: isPointer, isFunction: isFunction)
  }
}
