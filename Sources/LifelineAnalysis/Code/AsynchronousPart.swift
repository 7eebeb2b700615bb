/// A part of an asynchronous function: its code up to or after an `await`. To the linker, each part is a separate
/// function.
public struct AsynchronousPart {
  /// Mangled name of the whole function.
  public let function: Substring
  /// Whether the name contains the type of an asynchronous function ("Ya"). An accessor's name has no type.
  public let isAsynchronous: Bool

  /// Parses a mangled name (Mangling.rst). Any other function is a single part.
  public init(_ mangled: String) {
    // "TQ0_" follows the first await of a call, "TY1_" the second one, of an executor change.
    let mark = mangled.dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
    let stem = mangled.dropLast(mark + 1)
    function =
      mangled.hasSuffix("_") && (stem.hasSuffix("TQ") || stem.hasSuffix("TY")) ? stem.dropLast(2) : mangled[...]
    isAsynchronous =
      mangled.hasPrefix("$s")
      && zip(mangled.utf8, mangled.utf8.dropFirst()).contains { $0 == UInt8(ascii: "Y") && $1 == UInt8(ascii: "a") }
  }
}
