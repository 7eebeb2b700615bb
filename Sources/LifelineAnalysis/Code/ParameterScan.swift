/// Looks in a function's mangled name for parameters or results that may be an object of a class (Mangling.rst).
///
/// What cannot be read for sure counts as possible.
struct ParameterScan {
  /// Whether the function may have been given an object of one of the classes, which are named without their modules.
  let mayTake: Bool

  /// `function` is the short name, "check(_:)".
  init(_ mangled: String?, function: String, classes: Set<String>) {
    if function.hasSuffix("()") || function.hasSuffix(".getter") {
      mayTake = false
      return
    }
    let base = function.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    guard let mangled, !base.isEmpty, let name = mangled.range(of: "\(base.utf8.count)\(base)") else {
      mayTake = true
      return
    }
    mayTake = Self.mentions(mangled[name.upperBound...].utf8, classes)
  }

  private static func mentions(_ signature: Substring.UTF8View, _ classes: Set<String>) -> Bool {
    let bytes = Array(signature)
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
      if classes.contains(String(decoding: bytes[index..<end], as: UTF8.self)) { return true }
      index = end
    }
    return false
  }
}
