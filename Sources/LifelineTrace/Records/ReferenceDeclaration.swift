/// Where a tracked reference is declared, as the recorder wrote it: "Screen.delegate (App/Screen.swift:12)".
public struct ReferenceDeclaration: Sendable {
  /// The property with its class, or the function or type around the declaration where that is not known.
  public let name: String
  /// "Screen.swift:12"
  public let location: String
  /// The event was part of its owner's initialization, and later ones told the name.
  public private(set) var isInitialisation = false

  init?(_ text: String) {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex else { return nil }
    name = String(text[..<open].dropLast())
    let file = text[open...].dropFirst().dropLast()
    location = String(file.split(separator: "/").last ?? file)
  }

  /// The same declaration, named by a later event.
  fileprivate func named(by text: String) -> Self? {
    var named = Self(text)
    named?.isInitialisation = true
    return named
  }

  /// "delegate"; nil when the name is not that of a class's property.
  public var property: String? { name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } }
}

extension TraceTables {
  /// The declaration of a tracked reference, by the id that its events have.
  ///
  /// While its owner is initialized a reference knows only the type around it. Events after that name the property, and
  /// have the same file and line. O(strings of the trace) for such a one.
  public func declaration(_ id: Int) -> ReferenceDeclaration? {
    guard let text = strings[id], let declaration = ReferenceDeclaration(text) else { return nil }
    let place = text.dropFirst(declaration.name.count)
    // Where the compiler makes an initializer for the property, what is around it is called "_".
    let isAround = declaration.name == "_" ? "" : declaration.name + "."
    let named = strings.values.filter { $0 != text && $0.hasSuffix(place) && $0.hasPrefix(isAround) }
    // Two properties on one line cannot be distinguished.
    return named.count == 1 ? declaration.named(by: named[0]) : declaration
  }
}
