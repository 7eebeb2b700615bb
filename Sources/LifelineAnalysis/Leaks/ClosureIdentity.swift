/// Which functions are one closure of the source: its forwarders, what the optimizer made of it for different types and
/// in different places, and the parts in which an asynchronous one goes on.
final class ClosureIdentity {
  private let sites: CallSiteTable
  private var known: [UInt64: String] = [:]

  init(_ sites: CallSiteTable) { self.sites = sites }

  /// The mangled name as far as it names the closure; what makes it another function of the same closure comes behind.
  func identity(of function: UInt64) -> String {
    if let identity = known[function] { return identity }
    let name = sites.function(at: function)?.mangledName
    let end = name?.matches(of: /U\d*_/).last?.range.upperBound
    let identity = name.flatMap { name in end.map { String(name[..<$0]) } } ?? "\(function)"
    known[function] = identity
    return identity
  }
}
