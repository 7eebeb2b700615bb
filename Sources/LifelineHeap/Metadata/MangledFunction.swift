/// Recognizes types whose whole text need not be read: their last characters tell the layout.
///
/// Functions as compiled code has them: demangleImplFunctionType in Demangler.cpp of Swift.
enum MangledFunction {
  /// Nil for other types.
  static func layout(_ type: MangledType) -> ValueLayout? {
    var text = type.tail
    func cut(_ suffix: String) -> Bool {
      guard text.hasSuffix(suffix) else { return false }
      text.removeLast(suffix.count)
      return true
    }
    let ownership: HeapField.Ownership =
      cut("Xo") ? .unowned : cut("Xw") ? .weak : cut("Xu") ? .unownedUnsafe : .strong
    let isOptional = cut("Sg")
    if isReference(text, type) { return ValueLayout(.object, ownership: ownership) }
    guard ownership == .strong, let function = function(text) else { return nil }
    return isOptional ? function.with(cases: 1) : function
  }

  /// The box of a variable, an error, or a class without an address in its text.
  private static func isReference(_ text: Substring, _ type: MangledType) -> Bool {
    ["Xb", "Xx", "XX"].contains(where: text.hasSuffix) || type.isPlain && (text == "s5Error_p" || text.hasSuffix("C"))
  }

  /// "I", its attributes, conventions of its parameters and results, "_".
  private static func function(_ text: Substring) -> ValueLayout? {
    guard text.last == "_", let start = text.lastIndex(of: "I") else { return nil }
    let code = text[text.index(after: start)...].dropLast()
    guard code.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
    let attributes = code.drop { "PeA".contains($0) }
    guard let callee = attributes.first, "gxyt".contains(callee) else { return nil }
    let rest = attributes.dropFirst()
    // A C function is an address without a context.
    if callee == "t" { return rest.first == "C" ? ValueLayout(8, extraInhabitants: ValueLayout.many) : nil }
    // Nor have blocks, methods and witnesses one. A "z" that no "B" or "C" follows is the convention of an error.
    guard !["B", "C", "M", "O", "K", "W", "zB", "zC"].contains(where: rest.hasPrefix) else { return nil }
    return ValueLayout(16, alignment: 8, extraInhabitants: ValueLayout.many)
  }
}
