/// A text of the traced program for a page: bounded, and without anything that hides, reorders or controls.
///
/// Control characters, including ANSI escapes, bidirectional controls, and characters without a shape become their code
/// point, `⟨U+202E⟩`; the beginning and the end of a long text are kept, because Swift's names differ at both.
struct VisibleText {
  /// The text, not yet escaped for HTML.
  let plain: String

  private static let labelLimit = 100

  /// Shows at most `limit` characters of the text, and says how long a longer one is, unless it is a label. O(limit),
  /// however long the text.
  init(_ text: String, limit: Int) {
    let scalars = text.unicodeScalars
    if text.utf8.count <= limit {
      plain = scalars.contains(where: Self.isHidden) ? Self.visible(scalars) : text
    } else if scalars.index(scalars.startIndex, offsetBy: limit, limitedBy: scalars.endIndex).map({
      $0 == scalars.endIndex
    }) ?? true {
      plain = Self.visible(scalars)
    } else {
      // A label has no room for more than a sign that something is missing.
      let isLabel = limit < Self.labelLimit
      let shown = isLabel ? max(limit, 2) - 1 : limit
      let head = Self.visible(scalars.prefix(shown * 3 / 5))
      let tail = Self.visible(scalars.suffix(shown - shown * 3 / 5))
      plain = head + (isLabel ? "…" : " … (\(Quantity.bytes(text.utf8.count)) in all) … ") + tail
    }
  }

  /// The text for element content and for attribute values in double quotes.
  var escaped: String {
    guard plain.utf8.contains(where: { [0x22, 0x26, 0x27, 0x3C, 0x3E].contains($0) }) else { return plain }
    var result = ""
    for scalar in plain.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func visible(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var result = ""
    for scalar in scalars {
      if isHidden(scalar) {
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "⟨U+\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)⟩"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// C0, DEL and C1; Unicode's bidirectional and line controls; its default-ignorable and annotation characters, but
  /// not the joiners U+200C/D, which belong to words and emoji; noncharacters.
  private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0xAD, 0x61C, 0x115F, 0x1160, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
      0x2060...0x206F, 0x3164, 0xFEFF, 0xFFF9...0xFFFB, 0xE0000...0xE007F:
      true
    case let value: value & 0xFFFE == 0xFFFE
    }
  }
}
