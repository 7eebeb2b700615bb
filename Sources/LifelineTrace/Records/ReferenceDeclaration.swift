/// Where a tracked reference is declared, as written by the recorder: "Screen.delegate (App/Screen.swift:12)".
public struct ReferenceDeclaration: Sendable {
  /// The property with its class, or the function or type around the declaration if that is unknown.
  public let name: String
  /// "Screen.swift:12"
  public let location: String
  /// Whether the event was part of its owner's initialization, and later ones gave the name.
  public private(set) var isInitialization = false

  init?(_ text: String) {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex else { return nil }
    name = String(text[..<open].dropLast())
    let file = text[open...].dropFirst().dropLast()
    location = String(file.split(separator: "/").last ?? file)
  }

  /// The same declaration, named by a later event.
  fileprivate func named(by text: String) -> Self? {
    var named = Self(text)
    named?.isInitialization = true
    return named
  }

  /// "delegate"; nil if the name is not that of a class's property.
  public var property: String? { name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } }
}

extension TraceTables {
  /// The declaration of a tracked reference, by the id in its events.
  ///
  /// While its owner is initialized a reference knows only the type around it. Later events name the property, and have
  /// the same file and line. O(strings of the trace) in that case.
  public func declaration(_ id: Int) -> ReferenceDeclaration? {
    guard let text = strings[id], let declaration = ReferenceDeclaration(text) else { return nil }
    let place = text.dropFirst(declaration.name.count)
    // If the compiler generates an initializer for the property, the enclosing declaration is called "_".
    let isAround = declaration.name == "_" ? "" : declaration.name + "."
    let named = strings.values.filter { $0 != text && $0.hasSuffix(place) && $0.hasPrefix(isAround) }
    // Two properties on one line cannot be distinguished.
    return named.count == 1 ? declaration.named(by: named[0]) : declaration
  }
}
