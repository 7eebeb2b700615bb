import LifelineSymbolication

extension Names {
  /// The source of a closure by the address that a reference to it has: its function, file and line.
  ///
  /// That address is mostly a forwarder's, which the compiler made and which has no line; the closure's own symbol is
  /// the forwarder's without its suffix "TA" (Mangling.rst). Where the optimiser put the closure into the forwarder,
  /// its lines stand there.
  func closure(at address: UInt64) -> (function: String, file: String?, line: Int?)? {
    guard let symbol = symbolicator.symbol(at: address) else { return nil }
    var entry = symbol.start
    if symbol.name.hasSuffix("TA"),
      let own = symbolicator.address(of: String(symbol.name.dropLast(2)), inImageOf: address)
    {
      entry = own
    }
    let frames = symbolicator.frames(at: entry)
    let function = symbolicator.shortName(symbol.name).replacing("partial apply for ", with: "")
    if let place = Self.written(frames) { return (function, place.file, place.line) }
    for offset in stride(from: 1, to: 96, by: 1) as StrideTo<UInt64> {
      guard symbolicator.symbol(at: entry + offset)?.start == entry else { break }
      if let place = Self.written(symbolicator.frames(at: entry + offset)) { return (function, place.file, place.line) }
    }
    return (function, nil, nil)
  }

  /// The outermost place that a person wrote: closures are told by themselves, not by what was inlined into them.
  private static func written(_ frames: [SymbolicatedFrame]) -> SymbolicatedFrame? {
    frames.last {
      ($0.line ?? 0) > 0 && $0.file.map { !$0.hasSuffix("<compiler-generated>") } ?? false
        && $0.mangledName?.hasSuffix("TA") != true
    }
  }
}
