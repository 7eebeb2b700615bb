/// A piece of HTML in which every text is escaped by its type.
///
/// Literals in the source are markup; an interpolated `String` is a text of the traced program and goes through
/// `VisibleText`. So a text can only become markup in `init(trusted:)`, which two constants use.
struct Markup: ExpressibleByStringInterpolation, Sendable, Equatable {
  private(set) var html: String

  /// Maximum number of characters shown of a text unless the call site says otherwise, so that a page stays small
  /// whatever the program's class names.
  static let textLimit = 300

  init(stringLiteral value: String) { html = value }
  init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }
  /// The style sheet and the script, written by us.
  init(trusted html: String) { self.html = html }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var html = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      html.reserveCapacity(literalCapacity + interpolationCount * 32)
    }
    mutating func appendLiteral(_ literal: String) { html += literal }
    mutating func appendInterpolation(_ text: String, limit: Int = Markup.textLimit) {
      html += VisibleText(text, limit: limit).escaped
    }
    mutating func appendInterpolation(_ markup: Markup) { html += markup.html }
    mutating func appendInterpolation(_ number: some BinaryInteger) { html += String(number) }
  }

  /// A qualified name, which may be broken after its dots: "Module." and "Type" on separate lines if necessary.
  static func name(_ text: String) -> Markup {
    let parts = VisibleText(text, limit: textLimit).plain.split(separator: ".", omittingEmptySubsequences: false)
    return parts.map { "\(String($0), limit: 8 * textLimit)" as Markup }.joined(".<wbr>")
  }

  static func += (left: inout Markup, right: Markup) { left.html += right.html }

  var size: Int { html.utf8.count }
}

extension Sequence where Element == Markup {
  func joined(_ separator: Markup = "") -> Markup {
    var result: Markup = ""
    var isFirst = true
    for piece in self {
      if !isFirst { result += separator }
      result += piece
      isFirst = false
    }
    return result
  }
}
