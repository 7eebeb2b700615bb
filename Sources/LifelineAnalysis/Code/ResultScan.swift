/// Reads from a function's mangled name whether it returns anything (Mangling.rst).
///
/// What cannot be read with certainty counts as a result, and so does an `inout` parameter.
struct ResultScan {
  let isNothing: Bool

  /// `function` is the short name, "check(_:)".
  init(_ mangled: String?, function: String) {
    let base = function.prefix { $0 != "(" }.split(separator: ".").last.map(String.init) ?? ""
    guard let mangled, function.contains("("), !base.isEmpty,
      let name = mangled.range(of: "\(base.utf8.count)\(base)", options: .backwards)
    else {
      isNothing = false
      return
    }
    var rest = Array(mangled[name.upperBound...].utf8)[...]
    let hasLabels = Self.skipLabels(&rest)
    // Without labels there is either a "y" in their place or no parameter, whose "y" comes after the result's.
    if !hasLabels, rest.popFirst() != UInt8(ascii: "y") {
      isNothing = false
      return
    }
    isNothing = rest.first == UInt8(ascii: "y") && !Self.begins(rest.dropFirst()) && !rest.contains(UInt8(ascii: "z"))
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
