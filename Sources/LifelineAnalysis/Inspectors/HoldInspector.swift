import LifelineLifetimes
import LifelineTrace

/// Names who held an object, from the code that retained it and the code that released it.
struct HoldInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  func story(_ history: ObjectHistory) -> ObjectLifetime {
    let pairing = Pairing(history) { sites.place($0.backtrace) }
    var holds = pairing.pairs.map { hold(history, $0) }
    for row in pairing.unpairedRetains {
      let retain = history.rows[row]
      holds.append(Hold(holder: openHolder(history, retain), confidence: .open, retain: retain, release: nil, activityStart: nil))
    }
    holds += holds.compactMap(registration)
    holds.sort { ($0.retain.event.sequence, $0.to ?? .max) < ($1.retain.event.sequence, $1.to ?? .max) }
    let strange = pairing.unpairedReleases.map { history.rows[$0] }
    return ObjectLifetime(
      history: history, pairing: pairing, holds: holds, lateDeallocation: lateDeallocation(history, holds, strange))
  }

  /// Before a call of an activity took over, the retainer held: the registration of an observer.
  private func registration(_ hold: Hold) -> Hold? {
    guard let start = hold.activityStart, start.sequence > hold.retain.event.sequence, let library = sites.site(hold.retain.backtrace).library else { return nil }
    return Hold(
      holder: .library(library.function, image: library.image), confidence: .likely, retain: hold.retain, release: nil, activityStart: nil,
      handover: start)
  }

  private func hold(_ history: ObjectHistory, _ pair: Pairing.Pair) -> Hold {
    let retain = history.rows[pair.retain], release = history.rows[pair.release]
    var holder = self.holder(history.id, retain, release, isSure: pair.confidence == .sure)
    if case .function = holder, let rule = spanning(history.rows[pair.retain...pair.release]) { holder = .activity(rule) }
    var start: Moment?
    if case .activity(let rule) = holder, rule.scope == .call { start = release.callStart }
    return Hold(
      holder: holder, confidence: pair.confidence == .sure ? .sure : .likely, retain: retain, release: release, activityStart: start)
  }

  private func holder(_ id: ObjectID, _ retain: HistoryRow, _ release: HistoryRow, isSure: Bool) -> Holder {
    let before = sites.site(retain.backtrace), after = sites.site(release.backtrace)
    if let rule = after.rule { return .activity(rule) }
    if isSure { return running(before) }
    if after.name?.role == .deinitializer, let typeName = after.name?.typeName {
      return property(id, of: typeName, instance: release.dying) ?? .reference
    }
    for site in [after, before] {
      if case .accessor(let property, sets: true) = site.name?.role, let typeName = site.name?.typeName {
        return classes.isWeak(property, of: typeName) ? running(site) : named(property, of: typeName, instance: nil)
      }
    }
    // A closure that an activity runs gives back what it captured where it was made; what else it releases is not the activity's.
    if let rule = after.runner, let maker = before.function, let closure = after.function, closure.function.hasSuffix(" in \(maker.function)") {
      return .activity(rule)
    }
    if after.role == .contextDestroy { return .closure }
    let (from, to) = (sites.place(retain.backtrace), sites.place(release.backtrace))
    // A call inside the releasing one made the object and returned it: it was that function's variable.
    if from.enclosing.contains(to.key), after.name?.typeName == nil || retain.event.kind == .allocate { return running(after) }
    // A call around the releasing one passed its reference on; not what the program's main function made, which is stored.
    if to.enclosing.contains(from.key), !before.isMain, retain.event.kind != .allocate { return running(before) }
    if before.name?.role == .initializer, let typeName = before.name?.typeName, !isOwn(typeName, id) {
      if let found = property(id, of: typeName, instance: nil) { return found }
    }
    if let typeName = after.name?.typeName, let found = property(id, of: typeName, instance: nil) { return found }
    if let only = classes.onlyProperty(holding: id.className) {
      return .property(className: only.className, property: only.property.name, instance: classes.onlyObject(of: only.className))
    }
    if let library = after.library { return .library(library.function, image: library.image) }
    return .reference
  }

  /// A call that keeps its argument retains and releases it in its caller's name: it shows in what happened between.
  private func spanning(_ rows: ArraySlice<HistoryRow>) -> HoldRule? {
    for row in rows.dropFirst().dropLast() {
      if let rule = sites.spanningRule(row.backtrace) { return rule }
    }
    return nil
  }

  /// Who holds a reference that was never released.
  private func openHolder(_ history: ObjectHistory, _ retain: HistoryRow) -> Holder {
    let site = sites.site(retain.backtrace)
    if let rule = site.rule { return .activity(rule) }
    if let library = site.library { return .library(library.function, image: library.image) }
    if site.role == .blockCopy { return .closure }
    if case .accessor(let property, sets: true) = site.name?.role, let typeName = site.name?.typeName {
      return named(property, of: typeName, instance: nil)
    }
    if let typeName = site.name?.typeName, !isOwn(typeName, history.id), let found = property(history.id, of: typeName, instance: nil) { return found }
    if let only = classes.onlyProperty(holding: history.id.className) {
      return .property(className: only.className, property: only.property.name, instance: classes.onlyObject(of: only.className))
    }
    return .reference
  }

  private func running(_ site: CallSite) -> Holder {
    if let function = site.function, site.library == nil { return .function(function.function) }
    if let library = site.library { return .function(library.function) }
    return site.function.map { .function($0.function) } ?? .reference
  }

  private func isOwn(_ typeName: String, _ id: ObjectID) -> Bool { classes.lineage(id.className).contains { ObjectID(className: $0, number: 1).shortClassName == typeName } }

  /// The strong property of a class that can hold the object: its name when there is only one.
  private func property(_ id: ObjectID, of typeName: String, instance: ObjectID?) -> Holder? {
    let candidates = classes.classes(named: typeName)
    guard let owner = candidates.first(where: { $0 == instance?.className }) ?? candidates.first else { return nil }
    let found = classes.properties(of: instance?.className ?? owner, referringTo: id.className, [.strong])
    let exact = found.filter { !$0.property.isExistential }
    let best = exact.isEmpty ? found : exact
    if best.isEmpty, instance == nil { return nil }
    let className = instance?.className ?? owner
    return .property(
      className: className, property: best.count == 1 ? best[0].property.name : nil, instance: instance ?? classes.onlyObject(of: className))
  }

  private func named(_ property: String, of typeName: String, instance: ObjectID?) -> Holder {
    let owner = classes.classes(named: typeName).first ?? typeName
    return .property(className: owner, property: property, instance: instance ?? classes.onlyObject(of: owner))
  }

  private func lateDeallocation(_ history: ObjectHistory, _ holds: [Hold], _ strange: [HistoryRow]) -> LateDeallocation? {
    guard let final = history.finalRelease, let kept = holds.first(where: { $0.to == final.event.sequence && $0.holder.isTransient })
    else { return nil }
    let owners = holds.filter { $0.holder.isOwner && ($0.to ?? .max) < final.event.sequence }
    guard let last = owners.max(by: { $0.to! < $1.to! }), let release = last.release, kept.retain.event.sequence < last.to! else { return nil }
    // If an owner never released, or an unpaired release follows the last owner's, there is no conclusion.
    if holds.contains(where: { $0.holder.isOwner && $0.to == nil }) { return nil }
    if strange.contains(where: { $0.event.sequence > last.to! }) { return nil }
    return LateDeallocation(lastOwner: last, ownerRelease: release, kept: kept, finalRelease: final, until: final.event.sequence)
  }

  /// Lateness of an object that was still alive at an access, by which the program may have been stopped.
  ///
  /// What keeps the object then is the activity around the access, if the references that are left are a library's or a
  /// closure's: a property or variable would be an owner.
  func ongoingLateDeallocation(_ story: ObjectLifetime, at access: HistoryRow) -> LateDeallocation? {
    let sequence = access.event.sequence
    if let final = story.history.finalRelease, final.event.sequence <= sequence { return nil }
    guard let activity = sites.site(access.backtrace).activity else { return nil }
    var kept: Hold?
    var last: Hold?
    for hold in story.holds {
      if hold.holds(at: sequence) {
        if hold.holder.isStored { return nil }
        if kept == nil { kept = hold }
      } else if hold.holder.isOwner, let end = hold.to, end < sequence, end > last?.to ?? 0 {
        last = hold
      }
    }
    guard let kept, let last, let release = last.release, kept.retain.event.sequence < release.event.sequence else { return nil }
    let start = activity.rule.scope == .call ? access.callStart : nil
    let hold = Hold(holder: .activity(activity.rule), confidence: .open, retain: kept.retain, release: nil, activityStart: start)
    return LateDeallocation(lastOwner: last, ownerRelease: release, kept: hold, finalRelease: nil, until: sequence)
  }
}
