/// Where a tracked reference is declared, as the recorder wrote it: "Screen.delegate (App/Screen.swift:12)".
public struct ReferenceDeclaration: Sendable {
  /// The property with its class, or the function or type around the declaration where that is not known.
  public let name: String
  /// "Screen.swift:12"
  public let location: String

  init?(_ text: String) {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("), open > text.startIndex else { return nil }
    name = String(text[..<open].dropLast())
    let file = text[open...].dropFirst().dropLast()
    location = String(file.split(separator: "/").last ?? file)
  }

  /// "delegate"; nil when the name is not that of a class's property.
  public var property: String? { name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } }
}

extension TraceTables {
  /// The declaration of a tracked reference, by the id that its events have.
  public func declaration(_ id: Int) -> ReferenceDeclaration? { strings[id].flatMap(ReferenceDeclaration.init) }
}
