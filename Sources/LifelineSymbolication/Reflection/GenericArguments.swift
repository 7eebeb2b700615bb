/// Follows the bytes of a mangled type and tells which are generic arguments of a class: "…y", arguments, "G"
/// (Mangling.rst).
struct GenericArguments {
  /// Argument lists that are open, of whatever type, since that of a class began.
  private var depth = 0
  private var isAfterClass = false
  /// A letter that says what the next one is: "S" for the library's types, "A" for what was mangled before.
  private var prefix: UInt8?
  private var last: UInt8?

  var isInside: Bool { depth > 0 }

  mutating func takeReference(isClass: Bool) {
    isAfterClass = isClass
    prefix = nil
    last = nil
  }

  mutating func take(_ byte: UInt8) {
    defer {
      isAfterClass = false
      last = byte
    }
    if let opener = prefix {
      // Lower-case letters say that more letters of what was mangled before follow.
      let goesOn = opener == UInt8(ascii: "A") && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
      if !goesOn { prefix = nil }
      return
    }
    switch byte {
    case UInt8(ascii: "S"), UInt8(ascii: "A"): prefix = byte
    case UInt8(ascii: "y"): if isAfterClass || depth > 0 { depth += 1 }
    // "yt" is the empty tuple.
    case UInt8(ascii: "t"): if depth > 1, last == UInt8(ascii: "y") { depth -= 1 }
    case UInt8(ascii: "G"): if depth > 0 { depth -= 1 }
    default: break
    }
  }
}
