/// Names in a traced program for other tools: bounded, and without anything that could end a line or control a
/// terminal.
enum ExportName {
  /// Maximum number of bytes kept of a name; the rest is replaced by its length.
  static let limit = 4096

  /// Control characters and line separators become U+FFFD; the beginning and the end of a long name are kept, because
  /// Swift's names differ at both.
  static func clean(_ text: String) -> String {
    let isPlain = text.utf8.count <= limit && text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
    return isPlain ? text : safe(bounded(text))
  }

  private static func bounded(_ text: String) -> String {
    guard text.utf8.count > limit else { return text }
    let half = limit / 2
    let head = String(decoding: text.utf8.prefix(half), as: UTF8.self)
    let tail = String(decoding: text.utf8.suffix(half), as: UTF8.self)
    return "\(head)… (\(text.utf8.count) bytes in all) …\(tail)"
  }

  private static func safe(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars { result.append(isUnsafe(scalar) ? "\u{FFFD}" : scalar) }
    return String(result)
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
