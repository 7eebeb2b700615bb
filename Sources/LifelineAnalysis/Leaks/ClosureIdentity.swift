/// Which functions are the same closure in the source: its forwarders, the optimizer's copies for different types and
/// places, and the parts of an asynchronous one.
final class ClosureIdentity {
  private let sites: CallSiteTable
  private var known: [UInt64: String] = [:]

  init(_ sites: CallSiteTable) { self.sites = sites }

  /// The mangled name up to where it identifies the closure; what distinguishes functions of the same closure follows.
  func identity(of function: UInt64) -> String {
    if let identity = known[function] { return identity }
    let name = sites.function(at: function)?.mangledName
    let end = name?.matches(of: /U\d*_/).last?.range.upperBound
    let identity = name.flatMap { name in end.map { String(name[..<$0]) } } ?? "\(function)"
    known[function] = identity
    return identity
  }

  /// The module whose source has the closure; nil if unknown.
  func module(of function: UInt64) -> String? { MangledModule.name(of: sites.function(at: function)?.mangledName) }

  /// Whether a library made the closure: a change to the program's source cannot concern it.
  func isLibrary(_ function: UInt64) -> Bool { sites.isLibrary(at: function) }
}
