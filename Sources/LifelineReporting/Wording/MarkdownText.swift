/// Text of the program made safe for GitHub's and GitLab's Markdown.
struct MarkdownText {
  private static let space = "&#8203;"

  /// A sentence without markup: every ASCII punctuation mark that could begin some is escaped.
  ///
  /// "@name", "Class#1", "https://…" and "www.…" would become mentions and links even if escaped, because those are
  /// searched for in the rendered text; a zero-width space breaks them up.
  static func sentence(_ text: String) -> String { escaped(text, escape: "\\") }

  /// Text inside of an HTML element, where Markdown is not interpreted and a backslash would be visible.
  static func html(_ text: String) -> String { escaped(text, escape: "") }

  private static func escaped(_ text: String, escape: String) -> String {
    var result = ""
    var before: Unicode.Scalar = " "
    var isNumber = true
    let scalars = text.shown.unicodeScalars
    for (index, scalar) in zip(scalars.indices, scalars) {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "@", "#": result += "\(escape)\(scalar)\(space)"
      case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "+", "-", "!", "|", "~", "$", "=":
        result += "\(escape)\(scalar)"
      case ":": result += scalars[scalars.index(after: index)...].first == "/" ? ":\(space)" : ":"
      case ".":
        // "1. " at the start would be a list.
        if isNumber { result += "\(escape)." } else { result += before == "w" || before == "W" ? "\(space)." : "." }
      default: result.unicodeScalars.append(scalar)
      }
      isNumber = isNumber && ("0"..."9").contains(scalar)
      before = scalar
    }
    return result
  }

  /// A code span; its fence is longer than any run of backticks in it.
  static func code(_ text: String) -> String {
    let text = text.shown(atMost: 500)
    guard !text.isEmpty else { return "" }
    var longest = 0
    var run = 0
    for character in text.utf8 {
      run = character == UInt8(ascii: "`") ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    let needsSpace = text.hasPrefix("`") || text.hasSuffix("`") || (text.hasPrefix(" ") && text.hasSuffix(" "))
    return needsSpace ? "\(fence) \(text) \(fence)" : "\(fence)\(text)\(fence)"
  }
}
