/// What a generic type is made for, as far as objects can stand behind it.
struct TypeArguments: Hashable, Sendable {
  /// Full names, those of nested types' arguments included.
  var typeNames: [String]
  /// As `StoredProperty.protocols` calls them.
  var protocols: Set<String>
  var isExistential: Bool
  /// One is a parameter of the type around.
  var isParameter: Bool

  /// The same where the type around is made for `outer`.
  func filled(by outer: TypeArguments) -> TypeArguments {
    TypeArguments(
      typeNames: typeNames + outer.typeNames,
      protocols: !outer.isExistential
        ? protocols : isExistential ? protocols.intersection(outer.protocols) : outer.protocols,
      isExistential: isExistential || outer.isExistential, isParameter: outer.isParameter)
  }
}
