/// Which functions are the same closure in the source: its forwarders, the optimizer's copies for different types and
/// places, and the parts of an asynchronous one.
final class ClosureIdentity {
  private let sites: CallSiteTable
  private var known: [UInt64: String] = [:]

  init(_ sites: CallSiteTable) { self.sites = sites }

  /// The mangled name up to where it identifies the closure; what distinguishes functions of the same closure follows.
  func identity(of function: UInt64) -> String {
    if let identity = known[function] { return identity }
    let identity = Self.identity(ofName: sites.function(at: function)?.mangledName) ?? "\(function)"
    known[function] = identity
    return identity
  }

  /// Nil if it is not a closure's name.
  static func identity(ofName mangledName: String?) -> String? {
    guard let mangledName, let end = mangledName.matches(of: /U\d*_/).last?.range.upperBound else { return nil }
    return String(mangledName[..<end])
  }

  /// The module whose source has the closure; nil if unknown.
  func module(of function: UInt64) -> String? { MangledModule.name(of: sites.function(at: function)?.mangledName) }

  /// Whether a library made the closure: a change to the program's source cannot concern it.
  func isLibrary(_ function: UInt64) -> Bool { sites.isLibrary(at: function) }
}
