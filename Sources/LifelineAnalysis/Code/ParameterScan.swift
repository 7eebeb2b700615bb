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
    if function.hasSuffix("()") || function.hasSuffix(".getter") && !function.contains("subscript") {
      mayTake = false
      return
    }
    let base = function.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    guard let mangled, !base.isEmpty, let behind = MangledIdentifier.bytes(afterFirst: base, in: mangled) else {
      mayTake = true
      return
    }
    mayTake = Self.mentions(Array(behind), classes, mayCarry)
  }

  private static func mentions(
    _ bytes: [UInt8], _ classes: Set<String>, _ mayCarry: (String) -> Bool
  ) -> Bool {
    var index = 0
    while index < bytes.count {
      let byte = bytes[index]
      // An identifier that repeats words of earlier ones, an existential (AnyObject is "yXl"), a generic parameter.
      if "0pxqX".utf8.contains(byte) { return true }
      guard byte >= UInt8(ascii: "1"), byte <= UInt8(ascii: "9") else {
        index += 1
        continue
      }
      var length = 0
      while index < bytes.count, bytes[index] >= UInt8(ascii: "0"), bytes[index] <= UInt8(ascii: "9"), length < 1000 {
        length = length * 10 + Int(bytes[index] - UInt8(ascii: "0"))
        index += 1
      }
      let end = min(index + length, bytes.count)
      let name = String(decoding: bytes[index..<end], as: UTF8.self)
      if classes.contains(name) { return true }
      // A label has no kind behind it.
      switch end < bytes.count ? bytes[end] : 0 {
      case UInt8(ascii: "C"): if mayCarry(name) { return true }
      case UInt8(ascii: "V"), UInt8(ascii: "O"), UInt8(ascii: "a"): if !plain.contains(name) { return true }
      default: break
      }
      index = end
    }
    return false
  }
}
