/// A part of an asynchronous function: its code up to an `await`, or beyond one. Each is a function of its own to the
/// linker.
public struct AsynchronousPart {
  /// Mangled name of the whole function.
  public let function: Substring

  /// Takes a mangled name apart (Mangling.rst); nil where the function is not asynchronous.
  public init?(_ mangled: String) {
    guard mangled.hasPrefix("$s"), Self.isAsynchronous(mangled.utf8) else { return nil }
    // "TQ0_" is beyond the first await of a call, "TY1_" beyond the second, of a change of the executor.
    let mark = mangled.dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
    let stem = mangled.dropLast(mark + 1)
    function =
      mangled.hasSuffix("_") && (stem.hasSuffix("TQ") || stem.hasSuffix("TY")) ? stem.dropLast(2) : mangled[...]
  }

  /// Whether "Ya" is in the name, which the type of an asynchronous function has.
  private static func isAsynchronous(_ name: String.UTF8View) -> Bool {
    zip(name, name.dropFirst()).contains { $0 == UInt8(ascii: "Y") && $1 == UInt8(ascii: "a") }
  }
}
