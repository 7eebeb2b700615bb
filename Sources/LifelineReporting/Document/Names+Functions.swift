import LifelineTrace

extension Names {
  /// The functions at a site, innermost inlined one first; never empty.
  public func callFrames(_ site: BacktraceEntry) -> [CallFrame] {
    site.isFrame ? symbolicator.frames(at: site.lookupAddress).map(CallFrame.init) : [.missing]
  }

  /// The function that allocated an object, without its class's own initializers; the same after edits elsewhere.
  public func allocator(_ sites: [BacktraceEntry], of className: String) -> String {
    let backtrace = backtrace(sites, role: "allocation", thread: 0, event: 0)
    return Fingerprint.function(backtrace, className: className) ?? "unknown code"
  }

  /// The function that retained or released, and whether it is a library's; if so, together with the program's function
  /// that led there.
  public func caller(_ sites: [BacktraceEntry]) -> (name: String, isLibrary: Bool) {
    let backtrace = backtrace(sites, role: "retain", thread: 0, event: 0)
    guard let site = backtrace.site else { return ("unknown code", true) }
    let own = Fingerprint.function(backtrace, className: "") ?? "unknown code"
    guard site.isSystem, let responsible = backtrace.responsible, !responsible.isSystem else {
      return (own, site.isSystem)
    }
    return ("\(site.mangledName == nil ? site.image : Fingerprint.canonical(site.function)) for \(own)", true)
  }
}
