import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Finds uses of an object that only a passing hold kept alive, by code that had no claim on it.
///
/// Two kinds of evidence count: an unowned reference was read, which traps without the object; or the program's own code, outside the
/// activity that held the object, retained it while it had no other owner, so that it must have come by it through a
/// reference that is not counted. A successful weak load is not a near miss: it would have given nil.
struct NearMissInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  func finding(_ story: ObjectLifetime) -> Finding? {
    guard let late = story.lateDeallocation, let final = late.finalRelease, case .activity(let rule) = late.kept.holder else { return nil }
    for row in story.history.rows where late.contains(row.event.sequence) && !row.isFinalRelease {
      let site = sites.site(row.backtrace)
      guard site.function != nil, site.rule == nil, isMiss(row, site, story, rule) else { continue }
      var finding = Finding(
        kind: .nearMiss, severity: .warning, object: story.id, access: row.event.kind == .retain ? .retain : nil, accessedAddress: 0,
        places: [
          Finding.Place(role: .access, event: row.event, backtrace: row.backtrace),
          Finding.Place(role: .lastOwnerRelease, event: late.ownerRelease.event, backtrace: late.ownerRelease.backtrace),
          Finding.Place(role: .finalRelease, event: final.event, backtrace: final.backtrace),
        ])
      finding.story = story
      finding.sender = SenderInspector(sites: sites, classes: classes).sender(of: story.id, at: row.backtrace, among: [])
      return finding
    }
    return nil
  }

  private func isMiss(_ row: HistoryRow, _ site: CallSite, _ story: ObjectLifetime, _ rule: HoldRule) -> Bool {
    switch row.event.kind {
    case .unownedRetainStrong, .unownedRetainStrongAndRelease: return true
    case .retain, .retainN:
      guard site.around & sites.bit(rule) == 0, story.isComplete else { return false }
      return story.holds.allSatisfy { hold in
        hold.retain.event.sequence == row.event.sequence || hold.holder.isTransient || !hold.holds(at: row.event.sequence)
      }
    default: return false
    }
  }
}
