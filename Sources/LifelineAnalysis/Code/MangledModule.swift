/// The module that a mangled Swift name begins with (swift/docs/ABI/Mangling.rst).
enum MangledModule {
  /// "Foundation" for "$s10Foundation18NotificationCenterC4post…"; "Swift" for the standard library; nil for other
  /// names.
  static func name(of mangled: String?) -> String? {
    guard let mangled, mangled.hasPrefix("$s") else { return nil }
    var rest = mangled.dropFirst(2)
    guard let first = rest.first else { return nil }
    if first == "s" || first == "S" { return "Swift" }
    let digits = rest.prefix { $0.isASCII && $0.isNumber }
    guard let length = Int(digits), length > 0 else { return nil }
    rest = rest.dropFirst(digits.count)
    return rest.count >= length ? String(rest.prefix(length)) : nil
  }
}
