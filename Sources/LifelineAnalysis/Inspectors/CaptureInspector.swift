import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Finds the uncounted reference to an object that a use may have gone through: a closure's capture, or a property of
/// other code.
struct CaptureInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  /// Nil if no closure made the access, or no closure of the program captures such objects that way. A closure that is
  /// a C function has no captures; one with an argument may have been given the object by its caller, as may methods of
  /// the object and of structs with such references. A struct with only one was captured itself.
  func capturer(_ finding: Finding) -> Capturer? {
    guard let access = finding.place(.access), !sites.site(access.backtrace).isForC, ofValue(finding) == nil else {
      return nil
    }
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
    return Capturer(closure: closure.frame, site: closure.site, strengths: strengths, values: classes.referringValues)
  }

  /// The property that may have been used if the sender's class has none: that of the struct whose method made the
  /// access, or the only one in the program. Nil if it may as well have been a closure's capture.
  func possibleReference(_ finding: Finding) -> Sender? {
    if let found = ofValue(finding) { return found }
    let target = finding.object.className
    guard finding.place(.access) != nil, classes.uncountedCaptures(of: target).isEmpty else { return nil }
    return classes.onlyReference(to: target).flatMap { reference($0, finding) }
  }

  /// The only such property of the struct whose method made the access.
  private func ofValue(_ finding: Finding) -> Sender? {
    guard let access = finding.place(.access), let user = sites.site(access.backtrace).name, !user.isClosure,
      let typeName = user.typeName
    else { return nil }
    return classes.onlyReference(to: finding.object.className, in: typeName).flatMap { reference($0, finding) }
  }

  /// Reading an unowned reference is no access to the freed object, and nothing else is done by one.
  private func reference(_ found: (typeName: String, property: StoredProperty), _ finding: Finding) -> Sender? {
    guard (found.property.strength == .unowned) == (finding.access == nil) else { return nil }
    return Sender(className: found.typeName, candidates: [], property: found.property, isShown: false, lifetime: nil)
  }

  /// Says by which reference another thread took an object while its deinit ran, if that reference does not own it.
  /// Where its method may have used an owner's instead, that is only a possibility.
  func explainRace(_ finding: inout Finding) {
    guard let access = finding.place(.access) else { return }
    let sender = SenderInspector(sites: sites, classes: classes)
      .sender(of: finding.object, at: access.backtrace, among: [])
    if let sender, !classes.properties(of: sender.className, referringTo: finding.object.className, [.strong]).isEmpty {
      finding.capturer = nil
      finding.possibleReference = sender.property == nil ? nil : sender
    } else if sender?.property != nil {
      finding.sender = sender
    }
  }

  /// Whether a method used an object after its end that its own object may own, while that has no pointer and nothing
  /// in the program is declared to refer to such objects without owning them.
  func isByOwner(_ finding: Finding) -> Bool {
    let target = finding.object.className
    guard finding.kind == .useAfterFree, finding.lifetime?.intruder == nil, let owner = owner(finding),
      !classes.shortLineage(target).contains(owner)
    else { return false }
    let isHolder = classes.classes(named: owner).contains {
      classes.properties(of: $0, referringTo: target, [.strong]).contains { !$0.property.isExistential }
        && !classes.countsByHand($0)
    }
    return isHolder && classes.uncountedCaptures(of: target).isEmpty && !classes.isReferredToAtAll(target)
  }

  /// The final release, if plain code made it that belongs neither to that class nor to a deinit or setter.
  func strayRelease(_ finding: Finding) -> HistoryRow? {
    guard let final = finding.lifetime?.history.finalRelease, let owner = owner(finding) else { return nil }
    let site = sites.site(final.backtrace)
    guard !site.isMain, site.library == nil, site.role == nil, site.rule == nil, let name = site.name,
      name.role == .function, name.typeName != owner
    else { return nil }
    return final
  }

  private func owner(_ finding: Finding) -> String? {
    guard let access = finding.place(.access), let user = ReferenceUser(access.backtrace, sites, classes),
      user.between.isEmpty, !user.name.isClosure
    else { return nil }
    return user.name.typeName
  }
}
