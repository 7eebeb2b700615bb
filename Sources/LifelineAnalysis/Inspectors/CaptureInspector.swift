import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Finds the closure that used an object and may have captured an uncounted reference to it.
struct CaptureInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  /// Nil if no closure made the access, or no closure of the program captures such objects that way. A closure that is
  /// a C function has no captures; one with an argument may have been given the object by its caller, as may methods of
  /// the object and of structs with such a reference.
  func capturer(_ finding: Finding) -> Capturer? {
    guard let access = finding.place(.access), !sites.site(access.backtrace).isForC else { return nil }
    // Reading an unowned reference is no access to the freed object.
    let isRead = finding.access == nil
    let strengths = classes.uncountedCaptures(of: finding.object.className).filter { ($0 == .unowned) == isRead }
    if strengths.isEmpty { return nil }
    let own = classes.shortLineage(finding.object.className)
    let closure = sites.closure(access.backtrace) { facts in
      if facts.name.isClosure { return !ClosureSignature(facts.frame.mangledName).takesOnlyLibraryTypes }
      return facts.name.typeName.map { own.contains($0) || classes.isReferringValue($0) } == true
    }
    guard let closure else { return nil }
    return Capturer(closure: closure.frame, site: closure.site, strengths: strengths)
  }
}
