import LifelineSymbolication

extension Symbolicator {
  /// The source of a closure, from its address in a reference: its function, file and line.
  ///
  /// That address is mostly that of a compiler-generated forwarder, which has no line; the closure's own symbol is the
  /// forwarder's without its suffix "TA" (Mangling.rst). If the optimizer inlined the closure into the forwarder, it is
  /// found there. Without a line of its own, the first line there is used.
  public func closure(at address: UInt64) -> (function: String, file: String?, line: Int?)? {
    guard let symbol = self.symbol(at: address) else { return nil }
    let (own, entry) = own(symbol, address)
    let function = shortName(symbol.name).replacing("partial apply for ", with: "")
    // The place where a suspended function resumes is more informative than its beginning.
    if Self.isResumed(symbol.name) {
      let place = resumption(symbol.name, entry)
      return (function, place?.file, place?.line)
    }
    // An implicit closure's own code may have no lines, unlike what was inlined into it.
    let isImplicit = function.hasPrefix("implicit closure")
    var first: SymbolicatedFrame?
    for address in beginning(of: entry, isResumed: false) {
      if let place = declaration(of: own, at: address) { return (function, place.file, place.line) }
      first = first ?? Self.written(frames(at: address).filter { !isImplicit || $0.mangledName == own })
    }
    return (function, first?.file, first?.line)
  }

  /// Where a closure is written or a suspended task waits, of whose functions the innermost comes first: the first one
  /// with a line. One of the program's own sources comes before those of packages that were fetched for it.
  public func place(in functions: [UInt64]) -> (function: String, file: String?, line: Int?)? {
    let known = functions.lazy.compactMap { self.closure(at: $0) }
    return known.first { $0.line != nil && $0.file.map(Self.isFetched) == false }
      ?? known.first { $0.line != nil } ?? known.first
  }

  /// Whether a file is of a package that SwiftPM fetched, into a folder "checkouts".
  static func isFetched(_ file: String) -> Bool { file.contains("/checkouts/") }

  /// Where a suspended function resumes: the first line of its part that is not that of the function's declaration,
  /// which optimized code has where frames are set up. The part may do nothing else than go on in the next one.
  private func resumption(_ name: String, _ entry: UInt64) -> SymbolicatedFrame? {
    var first: SymbolicatedFrame?
    for entry in [entry, nextPart(after: name, entry)].compactMap({ $0 }) {
      for address in beginning(of: entry, isResumed: true) {
        guard let frame = Self.written(frames(at: address)) else { continue }
        let declared = frame.mangledName.flatMap { declaration(of: $0, at: address) }
        if declared?.line != frame.line || isOptimized(at: address) == false { return frame }
        first = first ?? frame
      }
    }
    return first
  }

  /// The part of a function that is numbered after the one in which it resumes from a call.
  private func nextPart(after name: String, _ entry: UInt64) -> UInt64? {
    guard let suffix = name.firstMatch(of: /TQ(\d+)_$/), let number = Int(suffix.1) else { return nil }
    return address(of: "\(name[..<suffix.range.lowerBound])TY\(number + 1)_", inImageOf: entry)
  }

  /// The variables that the closure at an address captured, in order; nil if they are unknown.
  public func captures(at address: UInt64) -> [FunctionParameter]? {
    guard let symbol = self.symbol(at: address) else { return nil }
    let (own, entry) = own(symbol, address)
    for address in beginning(of: entry, isResumed: Self.isResumed(symbol.name)) {
      if let found = captures(of: own, at: address) { return found }
    }
    return nil
  }

  /// Whether a function is the part of another that resumes after a suspension.
  private static func isResumed(_ name: String) -> Bool { name.contains(/T[QY]\d+_$/) }

  /// The addresses of a function's first instructions. Where one resumes, many without a line may come first.
  private func beginning(of entry: UInt64, isResumed: Bool) -> some Sequence<UInt64> {
    (0..<(isResumed ? 1024 : 96)).lazy.map { entry + UInt64($0) }.prefix { address in
      address == entry || self.symbol(at: address)?.start == entry
    }
  }

  /// The same for the closure with a mangled name around an address.
  func captures(of closure: String, at address: UInt64) -> [FunctionParameter]? {
    guard let given = ClosureSignature.parameterCount(closure), let all = parameters(of: closure, at: address) else {
      return nil
    }
    if all.count >= given, !all.prefix(given).contains(where: { $0.name == "self" }) {
      return Array(all.dropFirst(given))
    }
    // Optimized code may lack parameters, so the others may be given or captured. Only self is certainly captured.
    return all.contains { $0.name == "self" } ? all : nil
  }

  /// The closure's own function, whose forwarder a symbol may be.
  private func own(_ symbol: (name: String, start: UInt64), _ address: UInt64) -> (name: String, entry: UInt64) {
    // Of several forwarders, the others' names end in a number.
    guard let forwarder = symbol.name.firstMatch(of: /TA(\.\d+)?$/) else {
      return (Self.specialized(symbol.name), symbol.start)
    }
    let own = String(symbol.name[..<forwarder.range.lowerBound])
    return (Self.specialized(own), self.address(of: own, inImageOf: address) ?? symbol.start)
  }

  /// A specialized generic closure that is called like a generic one ("TG5") is a thunk, into which the closure that is
  /// specialized throughout ("Tg5") was inlined (Mangling.rst).
  private static func specialized(_ name: String) -> String {
    name.replacing(/TG([a-z]*\d)$/) { "Tg\($0.1)" }
  }

  /// The outermost handwritten place: closures are listed separately, not by what was inlined into them.
  private static func written(_ frames: [SymbolicatedFrame]) -> SymbolicatedFrame? {
    frames.last {
      ($0.line ?? 0) > 0 && $0.file.map { !$0.hasSuffix("<compiler-generated>") } ?? false
        && $0.mangledName?.hasSuffix("TA") != true
    }
  }
}
