import LifelineLifetimes
import LifelineTrace

/// Finds objects that only a local variable of a running function held after their last owner's release.
///
/// That is not late: the function holds them while it runs. But code that uses such an object without owning it does so
/// by luck, unless the function released the owner itself or a new owner came. Its closures are part of it: they may
/// run on other threads while it waits for them.
struct LocalHoldInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  func lateDeallocation(_ lifetime: ObjectLifetime) -> LateDeallocation? {
    guard lifetime.isComplete, lifetime.id.number > 0, let final = lifetime.history.finalRelease,
      let kept = lifetime.holds.first(where: { $0.to == final.event.sequence && isOneCall($0, final) }),
      case .function(let keeper) = kept.holder
    else { return nil }
    let owners = lifetime.holds.filter(\.holder.isOwner)
    guard let last = owners.max(by: { ($0.to ?? .max) < ($1.to ?? .max) }), let end = last.to,
      let release = last.release,
      last.confidence > .perhaps, last.holder.isStored, kept.retain.event.sequence < end,
      end < final.event.sequence
    else { return nil }
    // The holding function took the object out itself, to end it in an orderly way.
    let letGo = sites.firstOwn(release.backtrace) { if case .accessor = $0.role { true } else { false } }
    guard let function = letGo?.frame.function, function != keeper, !function.hasSuffix(" in \(keeper)"),
      sites.site(release.backtrace).library == nil,
      sites.facts(release.backtrace).joined().contains(where: { $0.isPart(of: keeper) })
    else { return nil }
    return LateDeallocation(
      lastOwner: last, ownerRelease: release, kept: kept, finalRelease: final, until: final.event.sequence)
  }

  /// Whether one call took the reference, perhaps from the getter of a stored property, and released it.
  private func isOneCall(_ hold: Hold, _ release: HistoryRow) -> Bool {
    if hold.balance == .sure { return true }
    let site = sites.site(hold.retain.backtrace)
    guard hold.confidence > .perhaps, site.library == nil,
      case .accessor(let property, sets: false) = site.name?.role,
      let owner = site.name?.typeName.flatMap({ classes.classes(named: $0).first }),
      classes.stores(property, in: owner), let call = sites.programCall(release.backtrace)
    else { return false }
    return sites.programCall(hold.retain.backtrace, skippingAccessors: true) == call
  }

  /// Whether one of the object's own methods is running at an event: its caller holds the object until it returns.
  func isOwn(_ row: HistoryRow, _ id: ObjectID) -> Bool {
    let own = classes.shortLineage(id.className)
    return sites.facts(row.backtrace).joined().contains { facts in
      facts.name.typeName.map(own.contains) == true
    }
  }
}
