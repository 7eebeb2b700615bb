import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Finds uses of an object that only a passing hold kept alive, by code that had no claim on it.
///
/// Three kinds of evidence count: an unowned reference was read, which traps without the object, or a tracked one that
/// does not own was used; the program's own code outside of the activity that held the object retained it while nobody
/// else did, so that it must have come by it through a reference that is not counted; and a method did so wherever it
/// ran, whose object has such a reference and which was not given the object. A successful weak load is no miss: it
/// would have given nil.
struct NearMissInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  func finding(_ story: ObjectLifetime) -> Finding? {
    guard let late = story.lateDeallocation, let final = late.finalRelease, case .activity(let rule) = late.kept.holder
    else { return nil }
    for row in story.history.rows where late.contains(row.event.sequence) && !row.isFinalRelease {
      let site = sites.site(row.backtrace)
      guard site.function != nil, site.rule == nil, isMiss(row, site, story, rule) else { continue }
      var finding = Finding(
        kind: .nearMiss, severity: .warning, object: story.id, access: row.event.kind == .retain ? .retain : nil,
        accessedAddress: 0,
        places: [
          Finding.Place(role: .access, event: row.event, backtrace: row.backtrace),
          Finding.Place(
            role: .lastOwnerRelease, event: late.ownerRelease.event, backtrace: late.ownerRelease.backtrace),
          Finding.Place(role: .finalRelease, event: final.event, backtrace: final.backtrace),
        ])
      finding.story = story
      finding.sender = SenderInspector(sites: sites, classes: classes).sender(
        of: story.id, at: row.backtrace, among: [])
      return finding
    }
    return nil
  }

  private func isMiss(_ row: HistoryRow, _ site: CallSite, _ story: ObjectLifetime, _ rule: HoldRule) -> Bool {
    switch row.event.kind {
    case .unownedRetainStrong, .unownedRetainStrongAndRelease: return true
    case .reference:
      guard let strength = row.event.referenceStrength, [.unowned, .unownedUnsafe, .unmanaged].contains(strength) else {
        return false
      }
      return row.event.referenceOperation == .load || row.event.referenceOperation == .message
    case .retain, .retainN:
      guard story.isComplete, site.around & sites.bit(rule) == 0 || isUncounted(site, story.id) else { return false }
      return story.holds.allSatisfy { hold in
        hold.retain.event.sequence == row.event.sequence || hold.holder.isTransient
          || !hold.holds(at: row.event.sequence)
      }
    default: return false
    }
  }

  /// Whether a function can have come by the object only through a reference of its own object that does not count.
  private func isUncounted(_ site: CallSite, _ id: ObjectID) -> Bool {
    guard let function = site.function, let typeName = site.name?.typeName, site.name?.isClosure == false else {
      return false
    }
    let own = classes.shortLineage(id.className)
    guard !own.contains(typeName), let className = classes.classes(named: typeName).first,
      !classes.properties(of: className, referringTo: id.className, [.unowned, .unownedUnsafe, .unmanaged]).isEmpty,
      classes.properties(of: className, referringTo: id.className, [.strong, .weak]).allSatisfy(
        \.property.isExistential)
    else { return false }
    let names = Set(own.flatMap { $0.split(separator: ".").map(String.init) })
    return !ParameterScan(function.mangledName, function: function.function, classes: names).mayTake
  }
}
