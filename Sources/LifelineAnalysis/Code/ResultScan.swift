/// Reads from a function's mangled name whether it returns anything (Mangling.rst).
///
/// What cannot be read with certainty counts as a result, and so does an `inout` parameter.
struct ResultScan {
  let isNothing: Bool
  /// Whether it returns nothing or only a number, a Bool or a String, optional or not.
  let hasNoObject: Bool
  /// Whether it never returns.
  let isNever: Bool

  /// `function` is the short name, "check(_:)".
  init(_ mangled: String?, function: String) {
    let base = function.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    guard let mangled, function.contains("("), !base.isEmpty,
      let behind = MangledParts.bytes(behindLast: base, in: mangled)
    else {
      (isNothing, hasNoObject, isNever) = (false, false, false)
      return
    }
    var rest = behind
    let hasLabels = Self.skipLabels(&rest)
    // Without labels there is either a "y" in their place or no parameter, whose "y" comes after the result's.
    isNever = Self.beginsNever(rest, hasLabels: hasLabels)
    let isPlain = !rest.contains(UInt8(ascii: "z")) && Self.beginsPlain(rest, hasLabels: hasLabels)
    if !hasLabels, rest.popFirst() != UInt8(ascii: "y") {
      (isNothing, hasNoObject) = (false, isPlain)
      return
    }
    isNothing = rest.first == UInt8(ascii: "y") && !Self.begins(rest.dropFirst()) && !rest.contains(UInt8(ascii: "z"))
    hasNoObject = isNothing || isPlain
  }

  /// Int, UInt, Double, Float, Bool and String: "Si" for one, "S2i" if a parameter's follows.
  private static let plain = "iudfbS"

  /// Whether the result's type, at the start or after a "y" in place of the labels, is plain and not part of another.
  private static func beginsPlain(_ type: ArraySlice<UInt8>, hasLabels: Bool) -> Bool {
    var rest = type
    let isEmptyList = !hasLabels && rest.first == UInt8(ascii: "y")
    if isEmptyList { rest.removeFirst() }
    guard rest.popFirst() == UInt8(ascii: "S") else { return false }
    let isAlone = !isDigit(rest.first)
    _ = number(&rest)
    guard let kind = rest.popFirst(), plain.utf8.contains(kind) else { return false }
    if isAlone {
      if rest.starts(with: "Sg".utf8) { rest = rest.dropFirst(2) }
      // A tuple's first element is followed by "_".
      if rest.first == UInt8(ascii: "_") { return false }
      if !isEmptyList, rest.first == UInt8(ascii: "y"), let next = rest.dropFirst().first {
        return "FKY".utf8.contains(next)
      }
    }
    return isOfNothing(rest)
  }

  private static func beginsNever(_ type: ArraySlice<UInt8>, hasLabels: Bool) -> Bool {
    var rest = type
    if !hasLabels, rest.first == UInt8(ascii: "y") { rest.removeFirst() }
    let never = "s5NeverO"
    guard rest.starts(with: never.utf8) else { return false }
    // Not an optional, a tuple's element, a metatype, or the result of a function without parameters.
    return !["Sg", "_", "m", "yc", "yYac"].contains { rest.dropFirst(never.utf8.count).starts(with: $0.utf8) }
  }

  private static func isDigit(_ byte: UInt8?) -> Bool { byte.map { "0123456789".utf8.contains($0) } ?? false }

  /// Whether no function type or metatype, of which a type before it might be a part, ends in what follows.
  private static func isOfNothing(_ types: ArraySlice<UInt8>) -> Bool {
    var rest = types
    while let byte = rest.first {
      if byte >= UInt8(ascii: "1"), byte <= UInt8(ascii: "9"), let length = number(&rest) {
        rest = rest.dropFirst(length)
        continue
      }
      rest.removeFirst()
      if "cXm".utf8.contains(byte) { return false }
      // A type that occurred before, or several, "A2bC", and a standard type: numbers are not lengths there.
      guard byte == UInt8(ascii: "A") || byte == UInt8(ascii: "S") else { continue }
      while true {
        _ = number(&rest)
        guard let next = rest.popFirst(), byte == UInt8(ascii: "A"), next >= UInt8(ascii: "a") else { break }
      }
    }
    return true
  }

  /// Identifiers, and "_" for a parameter without a label; returns whether there were any.
  private static func skipLabels(_ rest: inout ArraySlice<UInt8>) -> Bool {
    var isFound = false
    while let byte = rest.first {
      if byte == UInt8(ascii: "_") {
        rest.removeFirst()
      } else if byte >= UInt8(ascii: "1"), byte <= UInt8(ascii: "9"), let length = Self.number(&rest) {
        // The first identifier after a "y" would be a type; labels precede it.
        rest = rest.dropFirst(length)
      } else {
        return isFound
      }
      isFound = true
    }
    return isFound
  }

  private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
    var number = 0
    while let byte = rest.first, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9"), number < 1000 {
      number = number * 10 + Int(byte - UInt8(ascii: "0"))
      rest.removeFirst()
    }
    return number
  }

  /// Whether the "y" before it begins an existential or a function type, which are results.
  private static func begins(_ rest: ArraySlice<UInt8>) -> Bool {
    guard let next = rest.first else { return true }
    return "pXcy".utf8.contains(next)
  }
}
