import Foundation

/// The tags of a page, parsed as strictly as we write our markup: whatever does not parse is a problem.
struct TagList {
  var names: Set<String> = []
  var attributes: Set<String> = []
  /// Sentences about markup that we do not write.
  var problems: [String] = []

  private static let void: Set<String> = ["meta", "br", "wbr", "input", "img", "link"]

  init(_ html: String) {
    var open: [String] = []
    // Without the style sheet and the script, no text or attribute contains a "<".
    let pieces = Self.withoutContent(of: "script", Self.withoutContent(of: "style", html)).components(separatedBy: "<")
    for piece in pieces.dropFirst() {
      guard let inner = Self.tag(piece.utf8) else {
        problems.append("a tag does not end: \(piece.prefix(60))")
        return
      }
      if inner.hasPrefix("!DOCTYPE") { continue }
      if inner.hasPrefix("/") {
        if open.popLast() != String(inner.dropFirst()) { problems.append("<\(inner)> closes another element") }
        continue
      }
      let isEmpty = inner.hasSuffix("/")
      let name = String(inner.prefix { $0 != " " && $0 != "\n" && $0 != "/" })
      names.insert(name)
      read(attributesOf: (isEmpty ? inner.dropLast() : inner[...]).dropFirst(name.count))
      if !isEmpty, !Self.void.contains(name) { open.append(name) }
    }
    if !open.isEmpty { problems.append("not closed: \(open)") }
  }

  private static func withoutContent(of element: String, _ html: String) -> String {
    guard let start = html.range(of: "<\(element)>"),
      let end = html.range(of: "</\(element)>", range: start.upperBound..<html.endIndex)
    else { return html }
    return html.replacingCharacters(in: start.upperBound..<end.lowerBound, with: "")
  }

  /// The text before the first ">" that is not in quotes.
  private static func tag(_ piece: String.UTF8View) -> String? {
    var isQuoted = false
    for index in piece.indices {
      if piece[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
      if piece[index] == UInt8(ascii: ">"), !isQuoted { return String(piece[..<index]) }
    }
    return nil
  }

  private mutating func read(attributesOf text: Substring) {
    var rest = text
    while let start = rest.firstIndex(where: { $0 != " " && $0 != "\n" }) {
      rest = rest[start...]
      let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == ":" }
      attributes.insert(String(name))
      rest = rest[name.endIndex...]
      if name.isEmpty {
        problems.append("not an attribute: \(rest.prefix(60))")
        return
      }
      guard rest.hasPrefix("=\"") else { continue }
      guard let close = rest.dropFirst(2).firstIndex(of: "\"") else {
        problems.append("a value does not end")
        return
      }
      rest = rest[rest.index(after: close)...]
    }
  }
}
