/// A stored property of a class, as the reflection metadata in the program's file tells it.
public struct StoredProperty: Hashable, Sendable {
  /// How the property refers to an object; for a property that holds no reference, `strong`.
  public enum Strength: String, Sendable {
    case strong
    case weak
    case unowned
    /// unowned(unsafe): it is neither counted nor cleared.
    case unownedUnsafe = "unowned(unsafe)"
    /// `Unmanaged`: counted by hand, if at all.
    case unmanaged

    /// Whether the reference neither keeps the object nor becomes nil.
    public var isUncounted: Bool { [.unowned, .unownedUnsafe, .unmanaged].contains(self) }
  }

  public let name: String
  public let strength: Strength
  /// Full names of the types that its type is made of: the class itself, or the elements of a collection of it. None
  /// for a function: what a closure captured does not show in its type.
  public let typeNames: [String]
  /// The type is a protocol's existential, so the class of its value is unknown.
  public let isExistential: Bool
  /// The protocols of the existential: full names, or the symbols of other files' protocols. None for `AnyObject`.
  public let protocols: Set<String>
  /// A pointer without a type, which may stand for a reference that is counted by hand.
  public let isPointer: Bool
  /// The type is, or is made of, a function type: what a closure captured stands behind it.
  public let isFunction: Bool

  /// It is declared with `let`, so that only an initializer sets it.
  public var isConstant = false
  /// Where it lies in the class's objects, in bytes; nil if unknown, and of a struct's.
  public internal(set) var offset: Int?
  /// The type never holds an object of the program: a number, a string, a lock, a struct of such. Only what is not
  /// the program's own counts until the property is `widened`.
  public private(set) var isPlain: Bool
  /// The type is, or is made of, a parameter of the generic type that it belongs to.
  public let isParameter: Bool
  /// What generic structs and enums in it are made for that refer to their arguments without keeping them.
  let arguments: TypeArguments?

  public init(
    name: String, strength: Strength, typeNames: [String], isExistential: Bool = false,
    protocols: Set<String> = [], isPointer: Bool = false, isFunction: Bool = false,
    isParameter: Bool = false, isPlain: Bool = false
  ) {
    self.init(
      name: name, strength: strength, typeNames: typeNames, isExistential: isExistential, protocols: protocols,
      isPointer: isPointer, isFunction: isFunction, isParameter: isParameter, isPlain: isPlain,
      arguments: nil)
  }

  init(
    name: String, strength: Strength, typeNames: [String], isExistential: Bool, protocols: Set<String>,
    isPointer: Bool, isFunction: Bool, isParameter: Bool, isPlain: Bool, arguments: TypeArguments?
  ) {
    self.arguments = arguments
    self.isPlain = isPlain
    self.isParameter = isParameter
    self.protocols = protocols
    self.isFunction = isFunction
    self.isPointer = isPointer
    self.name = name
    self.strength = strength
    self.typeNames = typeNames
    self.isExistential = isExistential
  }

  /// Whether the type shows that the property holds no object of a class, given with its superclasses. What a closure
  /// captured does not show, nor, if the property's own type is generic, what it is made for.
  public func excludes(_ classes: Set<String>, isGeneric: Bool) -> Bool {
    if isPlain { return true }
    let isKnown = strength == .strong && !isFunction && !isPointer && !isExistential && !typeNames.isEmpty
    return isKnown && classes.isDisjoint(with: typeNames) && !(isParameter && isGeneric)
  }

  /// The same as a property of a struct that a property holds: "link.target". A parameter of the struct's is
  /// what the property has for it.
  func inside(_ structure: String, in outer: StoredProperty) -> StoredProperty {
    // Where the struct keeps what it is made for, that is among the property's own types.
    let known =
      outer.arguments
      ?? TypeArguments(
        typeNames: outer.typeNames.filter { $0 != structure }, protocols: outer.protocols,
        isExistential: outer.isExistential,
        isParameter: outer.isParameter)
    func filled(_ list: TypeArguments?) -> TypeArguments? { list.map { $0.isParameter ? $0.filled(by: known) : $0 } }
    let own = TypeArguments(
      typeNames: typeNames, protocols: protocols, isExistential: isExistential, isParameter: isParameter)
    let full = filled(own)!
    var result = StoredProperty(
      name: "\(outer.name).\(name)", strength: strength, typeNames: full.typeNames,
      isExistential: full.isExistential, protocols: full.protocols, isPointer: isPointer, isFunction: isFunction,
      isParameter: full.isParameter, isPlain: isPlain, arguments: filled(arguments))
    result.isConstant = isConstant && outer.isConstant
    return result
  }

  /// The same under another name.
  func named(_ name: String) -> StoredProperty {
    var result = StoredProperty(
      name: name, strength: strength, typeNames: typeNames, isExistential: isExistential, protocols: protocols,
      isPointer: isPointer, isFunction: isFunction, isParameter: isParameter, isPlain: isPlain, arguments: arguments)
    (result.offset, result.isConstant) = (offset, isConstant)
    return result
  }

  /// The same with what the structs and enums in it store, whose fields are given by their full names.
  func widened(by fields: [String: [StoredProperty]]) -> StoredProperty {
    guard strength == .strong, typeNames.contains(where: { fields[$0] != nil }) else {
      var result = self
      result.isPlain = isPlain && typeNames.isEmpty
      return result
    }
    var names = typeNames
    var seen = Set(names)
    var parts: [StoredProperty] = []
    var index = 0
    while index < names.count, names.count < 1000 {
      for field in fields[names[index]] ?? [] where field.strength == .strong {
        parts.append(field)
        for name in field.typeNames where seen.insert(name).inserted { names.append(name) }
      }
      index += 1
    }
    // The object may be in any of several existentials, so only the protocols that they have in common are known.
    let existentials = ([self] + parts).filter(\.isExistential).map(\.protocols)
    let common = existentials.dropFirst().reduce(existentials.first ?? []) { $0.intersection($1) }
    var result = StoredProperty(
      name: name, strength: strength, typeNames: names, isExistential: !existentials.isEmpty, protocols: common,
      isPointer: isPointer || parts.contains(where: \.isPointer),
      isFunction: isFunction || parts.contains(where: \.isFunction),
      isParameter: isParameter || parts.contains(where: \.isParameter),
      isPlain: isPlain && parts.allSatisfy(\.isPlain) && names.allSatisfy { fields[$0] != nil }, arguments: arguments)
    (result.offset, result.isConstant) = (offset, isConstant)
    return result
  }
}
