import LifelineLifetimes
import LifelineTrace

/// Determines an object's lifetime: who held it from when to when, and whether it ended when it should.
struct HoldInspector {
  let sites: CallSiteTable
  let classes: ClassTable
  private let holders: HolderInspector
  private let dying: DyingInspector

  init(sites: CallSiteTable, classes: ClassTable) {
    self.sites = sites
    self.classes = classes
    holders = HolderInspector(sites: sites, classes: classes)
    dying = DyingInspector(sites: sites, classes: classes)
  }

  /// - Parameter stored: Events whose references are known to be left at the end, with those who have them.
  func lifetime(_ history: ObjectHistory, stored: [UInt64: Holder] = [:]) -> ObjectLifetime {
    let pairing = pairing(history, stored)
    let spans = SpanningRules(history.rows, sites)
    var holds = pairing.pairs.map { hold(history, $0, spans, pairing) }
    var guessed = Set(stored.values)
    for row in pairing.unpairedRetains.reversed() {
      let retain = history.rows[row]
      var claim = holders.openHolder(history.id, retain)
      // One object's property holds one reference: of several that nothing released, it may be the latest.
      if case .property(_, _, .some) = claim.holder, claim.confidence == .perhaps,
        !guessed.insert(claim.holder).inserted
      {
        claim = HolderInspector.Claim(.reference, .likely)
      }
      if let holder = stored[retain.event.sequence], holder != .reference {
        claim = HolderInspector.Claim(holder, .likely)
      }
      holds.append(
        Hold(
          holder: claim.holder, confidence: claim.confidence, balance: .open, retain: retain, release: nil,
          activityStart: nil))
    }
    let shown = holds.filter { $0.confidence > .perhaps }
    holds = holds.map { isExcluded($0, by: shown) ? $0.withoutName : $0 }
    holds += holds.compactMap(registration)
    holds.sort { ($0.retain.event.sequence, $0.to ?? .max) < ($1.retain.event.sequence, $1.to ?? .max) }
    let strange = pairing.unpairedReleases.map { history.rows[$0] }
    let intruder = dying.intruder(history)
    let escape = intruder.flatMap { dying.escape(history, holds, before: $0) }
    var lifetime = ObjectLifetime(
      history: history, pairing: pairing, holds: holds, intruder: escape == nil ? intruder : nil,
      lateDeallocation: lateDeallocation(history, holds, strange))
    lifetime.escape = escape
    lifetime.lastProperty = history.finalRelease.flatMap { emptied(by: $0, of: history.id) }
    return lifetime
  }

  /// Whether the property that a reference is guessed to be was shown to hold another one at that time.
  private func isExcluded(_ hold: Hold, by shown: [Hold]) -> Bool {
    guard hold.confidence == .perhaps, case .property(_, .some, .some) = hold.holder else { return false }
    return shown.contains {
      $0.holder == hold.holder && $0.retain.event.sequence < hold.to ?? .max
        && hold.retain.event.sequence < $0.to ?? .max
    }
  }

  private func pairing(_ history: ObjectHistory, _ stored: [UInt64: Holder]) -> Pairing {
    let more = callsReleasingMore(history)
    var properties: [BacktraceID: PropertyIdentity?] = [:]
    let pairing = Pairing(history) { row in
      var call = identity(row, of: history.id)
      if let known = properties[row.backtrace] {
        call.property = known
      } else {
        call.property = property(row, of: history.id)
        properties[row.backtrace] = .some(call.property)
      }
      // In such a call, what is known to be a local variable's is not what was stored.
      if row.event.strongChange < 0, call.role == .plain, more.contains(call.key) {
        call.mayBeStored = !sites.isLocal(row.backtrace)
      }
      return call
    }
    guard let birth = history.rows.firstIndex(where: { $0.event.kind == .allocate }) else { return pairing }
    if stored.isEmpty { return withoutDouble(pairing, history, birth) }
    let kept = history.rows.indices.filter { stored[history.rows[$0].event.sequence] != nil }
    let free = pairing.unpairedRetains.filter { stored[history.rows[$0].event.sequence] == nil }
    return kept.lazy.compactMap { row in
      // The references that one line took can be swapped as well, and what was taken while one was held; if a single
      // one is left, it is the known one.
      let place = place(history.rows[row])
      let other =
        free.first { $0 == birth } ?? free.first { self.place(history.rows[$0]) == place }
        ?? (pairing.unpairedRetains.count == 1 && pairing.unpairedReleases.isEmpty ? free.first : nil)
        ?? free.first { open in pairing.pairs.contains { $0.retain == row && row < open && open < $0.release } }
      return other.flatMap { pairing.leavingOpen(row, insteadOf: $0) }
    }.first ?? pairing
  }

  /// One property holds an object once. If it seems to have the first reference until the end and another one that a
  /// method took, what was released is the first one. Optimized code may have stored the first one anywhere, unless the
  /// code replaced the property's.
  private func withoutDouble(_ pairing: Pairing, _ history: ObjectHistory, _ birth: Int) -> Pairing {
    guard pairing.unpairedRetains.contains(birth) else { return pairing }
    let first = holders.openHolder(history.id, history.rows[birth])
    guard case .property(_, .some, .some) = first.holder, first.confidence > .perhaps else { return pairing }
    let double = pairing.pairs.first { pair in
      guard pair.confidence == .likely, !pair.isDoubtful, pair.retain != birth,
        sites.isOptimized(history.rows[pair.retain].backtrace) == false
          || sites.replacesProperty(history.rows[pair.release].backtrace)
      else { return false }
      let other = holders.holder(
        history.id, history.rows[pair.retain], history.rows[pair.release], isSure: false)
      return other.holder == first.holder && other.confidence > .perhaps
    }
    return double.flatMap { pairing.leavingOpen($0.retain, releasedAt: $0.release, insteadOf: birth) } ?? pairing
  }

  /// The call that took or released a reference. What a getter took does not reach its callers if its property cannot
  /// hold the object: a lazy property's getter gives its owner to what it creates.
  private func identity(_ row: HistoryRow, of object: ObjectID) -> CallIdentity {
    var place = sites.place(row.backtrace)
    let name = sites.site(row.backtrace).name
    guard place.reach > 0, row.event.kind != .allocate, case .accessor(let property, sets: false) = name?.role,
      name?.isClosure == false, let typeName = name?.typeName
    else { return place }
    let owners = classes.classes(named: typeName)
    if !owners.isEmpty, owners.allSatisfy({ classes.cannotHold(object.className, property, of: $0) }) {
      place.reach = 0
    }
    return place
  }

  /// The property that code put a reference into, or took it from: a setter's own, or the one that a method's
  /// instructions say.
  private func property(_ row: HistoryRow, of object: ObjectID) -> PropertyIdentity? {
    let site = sites.site(row.backtrace)
    if row.event.kind == .allocate {
      guard let (owner, name) = creator(of: object, site) else { return nil }
      return PropertyIdentity(root: root(owner), name: name, offset: nil)
    }
    guard row.event.strongChange != 0, site.library == nil, site.role == nil,
      let name = site.name, !name.isClosure, !name.isStatic, let typeName = name.typeName,
      let owner = classes.classes(named: typeName).first
    else { return nil }
    var offset: Int?
    switch site.isDirect ? sites.referenceMove(row.backtrace) : nil {
    case .stored(.constant(let place), from: .object) where name.role != .initializer: offset = place
    // The object's own initializer stores it in other objects; so do, in optimized code, functions inlined into others.
    case .stored(.constant(let place), let base)
    where name.role == .initializer && base != .new && sites.isOptimized(row.backtrace) == false
      && !classes.shortLineage(object.className).contains(typeName):
      offset = place
    case .removed(.constant(let place), let isReplaced, _) where isReplaced || name.role == .deinitializer:
      offset = place
    default: break
    }
    // An object's first 16 bytes are the runtime's: a smaller offset counts from an address calculated before.
    let place = offset.flatMap { $0 < 16 ? nil : $0 }
    if case .accessor(let property, sets: true) = name.role {
      if classes.isComputed(property, of: owner) || classes.cannotHold(object.className, property, of: owner) {
        return nil
      }
      return PropertyIdentity(root: root(owner), name: property, offset: place)
    }
    let possible = classes.properties(of: owner, referringTo: object.className, [.strong])
    if offset == nil || possible.isEmpty { return nil }
    let isOnlyOne = possible.count == 1 && !classes.keepsClosures(owner)
    return PropertyIdentity(root: root(owner), name: isOnlyOne ? possible[0].property.name : nil, offset: place)
  }

  /// The property for which an object was created: by an initializer, or by the getter of a lazy property.
  private func creator(of object: ObjectID, _ site: CallSite) -> (owner: String, property: String)? {
    if case .property(let owner, let property?, _) = holders.initialized(object, site) { return (owner, property) }
    guard let maker = site.caller, !maker.isClosure, !maker.isStatic,
      case .accessor(let property, sets: false) = maker.role,
      let owner = maker.typeName.flatMap({ classes.classes(named: $0).first }), classes.stores(property, in: owner),
      !classes.cannotHold(object.className, property, of: owner)
    else { return nil }
    return (owner, property)
  }

  private func root(_ className: String) -> String { classes.lineage(className).last ?? className }

  /// The calls that took references and released more than those, at least one of them a local variable's.
  private func callsReleasingMore(_ history: ObjectHistory) -> Set<UInt64> {
    var change: [UInt64: Int64] = [:]
    var takers: Set<UInt64> = []
    for row in history.rows where row.event.strongChange != 0 {
      let key = sites.place(row.backtrace).key
      change[key, default: 0] &+= row.event.strongChange
      if row.event.strongChange > 0 { takers.insert(key) }
    }
    let more = takers.filter { change[$0, default: 0] < 0 }
    if more.isEmpty { return [] }
    return Set(
      history.rows.lazy.filter { $0.event.strongChange < 0 }.map(\.backtrace)
        .filter { more.contains(sites.place($0).key) && sites.isLocal($0) }.map { sites.place($0).key })
  }

  private func place(_ row: HistoryRow) -> [String?] {
    let frame = sites.site(row.backtrace).function
    return [frame?.function, frame?.line.map(String.init)]
  }

  /// When the closure was created that released a reference, or the one that had this closure, if other calls than the
  /// one that had taken it used the object before: that one did not take it for the activity.
  private func takeover(_ history: ObjectHistory, _ retain: Int, _ release: HistoryRow) -> Moment? {
    guard let creation = release.contextCreation else { return nil }
    func call(_ row: HistoryRow) -> UInt64? { sites.programCall(row.backtrace, skippingAccessors: true) }
    let taker = call(history.rows[retain])
    let between = history.rows[(retain + 1)...].prefix { $0.event.sequence < creation.sequence }
    return between.contains { call($0) != taker } ? creation : nil
  }

  /// Before a call of an activity took over, the retainer held: the registration of an observer, or what the program
  /// stored and then gave to a closure.
  private func registration(_ hold: Hold) -> Hold? {
    guard let start = hold.activityStart, start.sequence > hold.retain.event.sequence else { return nil }
    var holder = Holder.reference
    if let library = sites.site(hold.retain.backtrace).library {
      holder = .library(library.function, image: library.image)
    } else if case .activity(let rule) = hold.holder, rule.scope == .call {
      return nil
    }
    return Hold(
      holder: holder, confidence: .likely, balance: .likely,
      retain: hold.retain, release: nil, activityStart: nil,
      handover: start)
  }

  private func hold(
    _ history: ObjectHistory, _ pair: Pairing.Pair, _ spans: SpanningRules, _ pairing: Pairing
  ) -> Hold {
    let retain = history.rows[pair.retain], release = history.rows[pair.release]
    let isOneCall = pair.isDoubtful && sites.place(retain.backtrace).key == sites.place(release.backtrace).key
    let claim = holders.holder(history.id, retain, release, isSure: pair.confidence == .sure || isOneCall)
    var holder = claim.holder
    if pair.isOneOfSeveral, case .property(let className, let property, _) = holder {
      holder = .property(className: className, property: property, instance: nil)
    }
    // A call that keeps its argument retains and releases it in its caller's name; the events in between show this.
    if case .function = holder, let rule = spans.rule(from: pair.retain, to: pair.release) {
      holder = .activity(rule)
    }
    var start: Moment?
    if case .activity(let rule) = holder {
      start = rule.scope == .call ? release.callStart : takeover(history, pair.retain, release)
    }
    let isDoubtful =
      pair.isDoubtful || retain.event.kind == .allocate && mayHaveMoved(history, holder, release, pairing)
    let isSure = pair.confidence == .sure
    return Hold(
      holder: holder, confidence: isDoubtful ? .perhaps : min(claim.confidence, isSure ? .sure : .likely),
      balance: isSure ? .sure : .likely, isDoubtful: isDoubtful, retain: retain, release: release,
      activityStart: start)
  }

  /// Whether the property that an object was created for may have given its reference away before a function released
  /// it: that had released one before, or is of another type, which has a property of its own for the object, or a
  /// method of the property's class took and released a reference in one call, as one does that returns the object and
  /// clears the property. A collection's elements may have been those of a copy, which shares them.
  private func mayHaveMoved(
    _ history: ObjectHistory, _ holder: Holder, _ release: HistoryRow, _ pairing: Pairing
  ) -> Bool {
    let site = sites.site(release.backtrace)
    guard case .property(let className, _, _) = holder, site.role == nil, !site.isMain, let name = site.name,
      name.role == .function
    else { return false }
    if mayBeAnother(history, release, pairing) { return true }
    let owners = holders.classes.shortLineage(className)
    // Optimized code makes no event when a variable takes a property's reference over.
    if release.isFinalRelease, sites.isOptimized(release.backtrace) == true,
      name.typeName.map(owners.contains) != true
    {
      return true
    }
    if site.isInCollection, name.typeName.map(owners.contains) != true { return true }
    if let user = name.typeName {
      if owners.contains(user) { return false }
      let isHolder = holders.classes.classes(named: user).contains {
        !holders.classes.properties(of: $0, referringTo: history.id.className, [.strong]).isEmpty
      }
      if isHolder { return true }
    }
    return pairing.pairs.contains { pair in
      guard pair.confidence == .sure, history.rows[pair.release].event.sequence < release.event.sequence else {
        return false
      }
      let taker = sites.site(history.rows[pair.retain].backtrace)
      // What an activity took inside the method was the activity's.
      return taker.rule == nil && taker.name?.role == .function && taker.name?.typeName.map(owners.contains) == true
    }
  }

  /// Whether a call released a reference of its own earlier, after the statement that took it: that may have been the
  /// property's, which the call cleared, and this one its own.
  private func mayBeAnother(_ history: ObjectHistory, _ release: HistoryRow, _ pairing: Pairing) -> Bool {
    let call = sites.place(release.backtrace).key
    return pairing.pairs.contains { pair in
      let earlier = history.rows[pair.release]
      return pair.confidence == .sure && earlier.event.sequence < release.event.sequence
        && earlier.event.thread == release.event.thread && sites.place(earlier.backtrace).key == call
        && !sites.isMomentary(history.rows[pair.retain], earlier)
    }
  }

  private func lateDeallocation(_ history: ObjectHistory, _ holds: [Hold], _ strange: [HistoryRow]) -> LateDeallocation?
  {
    // The owners of an older object are not all known.
    guard !history.isOlder, history.id.number > 0, let final = history.finalRelease,
      let kept = holds.first(where: { $0.to == final.event.sequence && $0.holder.isTransient })
    else { return nil }
    let owners = holds.filter { $0.holder.isOwner && ($0.to ?? .max) < final.event.sequence }
    guard let last = owners.max(by: Self.endsEarlier), let release = last.release,
      kept.retain.event.sequence < last.to!
    else { return nil }
    // If an owner never released, or an unpaired release follows the last owner's, there is no conclusion.
    if holds.contains(where: { $0.holder.isOwner && $0.to == nil }) { return nil }
    if strange.contains(where: { $0.event.sequence > last.to! }) { return nil }
    var late = LateDeallocation(
      lastOwner: last, ownerRelease: release, kept: kept, finalRelease: final, until: final.event.sequence)
    late.isOfNotification = sites.site(final.backtrace).isOfNotification
    return late
  }

  /// Whether a hold ended before another one. What an activity took over was held by others until the first event seen
  /// inside of the activity: if that is a release, it came later.
  private static func endsEarlier(_ hold: Hold, _ other: Hold) -> Bool {
    (hold.to ?? 0, hold.handover == nil ? 1 : 0) < (other.to ?? 0, other.handover == nil ? 1 : 0)
  }

  /// Late deallocation of an object that was still alive at an access that may have stopped the program.
  ///
  /// Then the activity around the access keeps the object, if the remaining references are a library's or a closure's:
  /// a property or variable would be an owner.
  func ongoingLateDeallocation(_ lifetime: ObjectLifetime, at access: HistoryRow) -> LateDeallocation? {
    let sequence = access.event.sequence
    if lifetime.id.number == 0 { return nil }
    if let final = lifetime.history.finalRelease, final.event.sequence <= sequence { return nil }
    guard !lifetime.history.isOlder, let activity = sites.site(access.backtrace).activity else { return nil }
    var kept: Hold?
    var last: Hold?
    for hold in lifetime.holds {
      if hold.holds(at: sequence) {
        if hold.holder.isStored { return nil }
        if kept == nil { kept = hold }
      } else if hold.holder.isOwner, let end = hold.to, end < sequence,
        last.map({ Self.endsEarlier($0, hold) }) ?? true
      {
        last = hold
      }
    }
    guard let kept, let last, let release = last.release, kept.retain.event.sequence < release.event.sequence else {
      return nil
    }
    let start = activity.rule.scope == .call ? access.callStart : nil
    let hold = Hold(
      holder: .activity(activity.rule), confidence: .likely, balance: .open, retain: kept.retain, release: nil,
      activityStart: start)
    return LateDeallocation(
      lastOwner: last, ownerRelease: release, kept: hold, finalRelease: nil,
      registration: kept.holder.isOwner ? kept : nil, until: sequence)
  }
}
