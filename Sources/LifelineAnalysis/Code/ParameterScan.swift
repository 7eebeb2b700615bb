/// Looks in a function's mangled name for parameters or results that may be an object of a class, or contain one
/// (Mangling.rst).
///
/// What cannot be read with certainty counts as possible, and so does a struct or enum that may hold one.
struct ParameterScan {
  /// Whether the function may have received an object of one of the classes, which are named without their modules.
  let mayTake: Bool

  /// Structs in libraries that never hold an object of the program.
  private static let plain: Set = [
    "Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64", "Float16", "Float80", "Character", "Data",
    "Date", "DateInterval", "URL", "UUID", "Decimal", "IndexPath", "IndexSet", "Locale", "TimeZone", "Duration",
    "CGFloat", "CGPoint", "CGRect", "CGSize", "NSRange", "StaticString",
  ]

  /// `function` is the short name, "check(_:)"; `mayCarry` says of another class whether it may refer to one of
  /// `classes`.
  init(_ mangled: String?, function: String, classes: Set<String>, mayCarry: (String) -> Bool) {
    // The C runtime calls these two.
    let isGetter = function.hasSuffix(".getter") && !function.contains("subscript")
    if ["main", "_start"].contains(function) || function.hasSuffix("()") || isGetter {
      mayTake = false
      return
    }
    guard let behind = Self.parts(of: mangled, behind: function) else {
      mayTake = true
      return
    }
    mayTake = Self.mentions(behind, classes, mayCarry)
  }

  /// Whether a function has no parameter and no result that can be an object or contain one: numbers and strings only.
  static func isPlain(_ mangled: String?, function: String) -> Bool {
    if function.hasSuffix("()") { return true }
    // What was named before, a function type, a metatype.
    return parts(of: mangled, behind: function).map { !mentions($0, [], others: "Acm") { _ in true } } ?? false
  }

  /// What follows the function's own name in its mangled name; nil if that is unknown.
  private static func parts(of mangled: String?, behind function: String) -> ArraySlice<MangledParts.Element>? {
    let base = function.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    guard let mangled, !base.isEmpty else { return nil }
    let parts = Array(MangledParts(mangled))
    return parts.firstIndex(of: .identifier(base)).map { parts[($0 + 1)...] }
  }

  private static func mentions(
    _ parts: ArraySlice<MangledParts.Element>, _ classes: Set<String>, others: String = "",
    _ mayCarry: (String) -> Bool
  ) -> Bool {
    zip(parts, parts.dropFirst() + [.byte(0)]).contains { part, next in
      switch part {
      // An identifier that is unknown, an existential (AnyObject is "yXl"), a generic parameter.
      case .byte(let byte): return "0pxqX".utf8.contains(byte) || others.utf8.contains(byte)
      case .identifier(let name):
        if classes.contains(name) { return true }
        // A label has no kind behind it.
        guard case .byte(let kind) = next else { return false }
        switch kind {
        case UInt8(ascii: "C"): return mayCarry(name)
        case UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "a"): return !plain.contains(name)
        default: return false
        }
      }
    }
  }
}
