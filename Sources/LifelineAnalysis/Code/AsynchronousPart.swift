/// A part of an asynchronous function: its code up to an `await`, or beyond one. Each is a function of its own to the
/// linker.
public struct AsynchronousPart {
  /// Mangled name of the whole function.
  public let function: Substring
  /// Whether the name has the type of an asynchronous function in it ("Ya"). An accessor's name has no type.
  public let isAsynchronous: Bool

  /// Takes a mangled name apart (Mangling.rst). Any other function is one part.
  public init(_ mangled: String) {
    // "TQ0_" is beyond the first await of a call, "TY1_" beyond the second, of a change of the executor.
    let mark = mangled.dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
    let stem = mangled.dropLast(mark + 1)
    function =
      mangled.hasSuffix("_") && (stem.hasSuffix("TQ") || stem.hasSuffix("TY")) ? stem.dropLast(2) : mangled[...]
    isAsynchronous =
      mangled.hasPrefix("$s")
      && zip(mangled.utf8, mangled.utf8.dropFirst()).contains { $0 == UInt8(ascii: "Y") && $1 == UInt8(ascii: "a") }
  }
}
