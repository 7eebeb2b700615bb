/// What the optimizer did to a function's arguments, as its mangled name says ("Tf", docs/ABI/Mangling.rst of the Swift
/// project).
struct Specialization {
  /// Whether it made the function for one particular closure or function, whose code, perhaps of another type, is then
  /// inlined into it.
  let hasInlinedFunction: Bool

  init(_ mangledName: String?) {
    var rest = Substring(mangledName ?? "")
    var isFound = false
    while !isFound, let mark = rest.firstRange(of: "Tf") {
      rest = rest[mark.upperBound...]
      isFound = Self.propagates(rest)
    }
    hasInlinedFunction = isFound
  }

  /// The text after "Tf": attributes, the number of the optimizer's pass, then how each argument changed, up to "_".
  private static func propagates(_ text: Substring) -> Bool {
    var text = text.drop { "mqa".contains($0) }
    guard text.popFirst()?.isNumber == true else { return false }
    while let kind = text.popFirst(), kind != "_" {
      // A constant: a function, or something else, of which only a string's encoding has a letter of its own.
      let constant = kind == "p" ? text.popFirst() : nil
      if kind == "c" || constant == "f" { return true }
      if constant == "s" { text = text.dropFirst() }
    }
    return false
  }
}
