/// Takes the mangled name of a part of an asynchronous function apart: of the code up to an `await`, or beyond it.
struct AsynchronousPart {
  /// Mangled name of the whole function.
  let function: Substring

  init(_ mangled: String) {
    // "TQ0_" is beyond the first await of a call, "TY1_" beyond the second, of a change of the executor.
    let mark = mangled.dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
    let stem = mangled.dropLast(mark + 1)
    function =
      mangled.hasSuffix("_") && (stem.hasSuffix("TQ") || stem.hasSuffix("TY")) ? stem.dropLast(2) : mangled[...]
  }
}
