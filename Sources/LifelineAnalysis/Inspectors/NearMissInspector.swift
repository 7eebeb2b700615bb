import LifelineLifetimes
import LifelineSymbolication
import LifelineTrace

/// Finds uses of an object that only a transient hold kept alive, by code that had no claim on it.
///
/// Three kinds of evidence count: an unowned reference was read, which traps without the object, or a tracked reference
/// that does not own it was used; the program's own code outside of the activity that held the object retained it while
/// nothing else did, so that it must have reached it through an uncounted reference; and a method did so anywhere,
/// whose object has such a reference and which was not passed the object, or a closure that can only have captured such
/// a reference. A successful weak load is not a miss, as it would have returned nil. A closure's context is only
/// referred to by counted references.
struct NearMissInspector {
  let sites: CallSiteTable
  let classes: ClassTable
  /// All objects with references that are not counted; nil if they are not known.
  let users: [Presence]?

  func finding(_ lifetime: ObjectLifetime) -> Finding? {
    if classes.isContext(lifetime.id.className) { return nil }
    let local = LocalHoldInspector(sites: sites, classes: classes).lateDeallocation(lifetime)
    guard let late = lifetime.lateDeallocation ?? local, late.finalRelease != nil else { return nil }
    var lifetime = lifetime
    lifetime.lateDeallocation = late
    return finding(lifetime, late)
  }

  func finding(_ lifetime: ObjectLifetime, _ late: LateDeallocation) -> Finding? {
    for row in lifetime.history.rows where late.contains(row.event.sequence) && !row.isFinalRelease {
      let site = sites.site(row.backtrace)
      guard site.function != nil, site.rule == nil, isMiss(row, site, lifetime, late) else { continue }
      let sender = SenderInspector(sites: sites, classes: classes).sender(of: lifetime.id, at: row.backtrace, among: [])
      let isPerhapsGiven = isPerhapsGiven(row, site, lifetime, late)
      var finding = Finding(
        kind: .nearMiss, severity: isPerhapsGiven ? .note : .warning, object: lifetime.id, access: access(row),
        accessedAddress: 0,
        places: [
          (.access, row), (.lastOwnerRelease, late.ownerRelease), (.finalRelease, late.finalRelease),
          (.allocation, lifetime.history.allocation),
        ].compactMap { (role: Finding.Role, row: HistoryRow?) in
          row.map { Finding.Place(role: role, event: $0.event, backtrace: $0.backtrace) }
        })
      finding.lifetime = lifetime
      finding.sender = sender
      finding.isPerhapsGiven = isPerhapsGiven
      let captures = CaptureInspector(sites: sites, classes: classes)
      finding.capturer = captures.capturer(finding)
      finding.possibleReference = captures.possibleReference(finding)
      return finding
    }
    return nil
  }

  private func isMiss(
    _ row: HistoryRow, _ site: CallSite, _ lifetime: ObjectLifetime, _ late: LateDeallocation
  ) -> Bool {
    let keeper = late.kept.holder
    guard keeper.isTransient || !LocalHoldInspector(sites: sites, classes: classes).isOwn(row, lifetime.id) else {
      return false
    }
    if isByPart(row, site, lifetime.id, late) { return false }
    switch row.event.kind {
    case .unownedRetainStrong, .unownedRetainStrongAndRelease: return !isFormedWithin(row, lifetime, late)
    case .reference:
      guard let strength = row.event.referenceStrength, [.unowned, .unownedUnsafe, .unmanaged].contains(strength) else {
        return false
      }
      return (row.event.referenceOperation == .load || row.event.referenceOperation == .message)
        && !isFormedWithin(row, lifetime, late)
    case .retain, .retainN:
      let others = lifetime.holding(at: row.event.sequence).filter {
        $0.retain.event.sequence != row.event.sequence
      }
      let given = given(row, site, lifetime, late)
      guard case .activity = keeper else {
        return others.allSatisfy { !$0.holder.isOwner } && isUncounted(row, lifetime.id)
          && (keeper == .closure && site.around == 0 || hasOlderUser(row, lifetime, late, given))
      }
      guard lifetime.isComplete, others.allSatisfy(\.holder.isTransient) else { return false }
      if site.around & given == 0, !isCreator(row, site, lifetime), !isTaker(row, lifetime),
        !isPerhapsCaptured(row, lifetime)
      {
        return true
      }
      return isUncounted(row, lifetime.id)
        && (!isWithin(row.event, site, late, given) || hasOlderUser(row, lifetime, late, given))
        || isUncountedCapture(row, site, lifetime)
    default: return false
    }
  }

  /// The activities that hold the object, one bit each: code that runs in one of them may have been given it. If none
  /// does, those that the event is in.
  private func given(
    _ row: HistoryRow, _ site: CallSite, _ lifetime: ObjectLifetime, _ late: LateDeallocation
  ) -> UInt64 {
    guard case .activity(let rule) = late.kept.holder else { return site.around }
    return lifetime.holding(at: row.event.sequence).reduce(sites.bit(rule)) { bits, hold in
      guard case .activity(let rule) = hold.holder, hold.retain.event.sequence != row.event.sequence else {
        return bits
      }
      return bits | sites.bit(rule)
    }
  }

  /// Whether the activity or function that held the object may itself have stored the reference that was used: if its
  /// code was optimized, no event shows that, and if it handled the object, that may have been it.
  private func isPerhapsGiven(
    _ row: HistoryRow, _ site: CallSite, _ lifetime: ObjectLifetime, _ late: LateDeallocation
  ) -> Bool {
    guard [.retain, .retainN].contains(row.event.kind), site.name?.isClosure == false else { return false }
    let references = references(row, lifetime.id)
    if !references.isEmpty, references.allSatisfy(\.isConstant) { return isUserCreatedByKeeper(row, lifetime, late) }
    let given = given(row, site, lifetime, late)
    switch late.kept.holder {
    case .activity: if !isWithin(row.event, site, late, given) { return false }
    case .function: break
    default: if given == 0 { return false }
    }
    // An unmanaged reference is stored without an event in any code.
    if references.contains(where: { $0.strength == .unmanaged && !$0.isConstant }) { return true }
    if sites.isOptimized(row.backtrace) != false { return true }
    let users = userTypes(row, lifetime.id)
    return lifetime.history.rows.contains { other in
      guard other.event.sequence < row.event.sequence, other.event.strongChange > 0, isInKeeper(other, late, given)
      else { return false }
      return mayStore(other, users, lifetime.id)
        || calls(other, late, given).contains { call in users.contains { maySet(call, $0, lifetime.id) } }
    }
  }

  /// Whether plain code at an event may have stored the object in an object of a class whose accessors are not called,
  /// a final one for instance: neither the object's own method nor one of the object that used it did that.
  private func mayStore(_ row: HistoryRow, _ users: [String], _ id: ObjectID) -> Bool {
    let site = sites.site(row.backtrace)
    guard site.function != nil, site.library == nil, site.rule == nil, let name = site.name else { return false }
    guard let typeName = name.typeName, !name.isClosure else { return true }
    return !users.contains(typeName) && !classes.shortLineage(id.className).contains(typeName)
  }

  /// Whether an event may be in the activity that holds the object until its end, or in what that activity started.
  /// Tasks are numbered in the order of their creation.
  private func isWithin(_ event: Event, _ site: CallSite, _ late: LateDeallocation, _ given: UInt64) -> Bool {
    if site.around & given == 0 { return false }
    guard case .activity(let rule) = late.kept.holder, rule.id == "task", let holder = late.finalRelease?.event.task,
      holder != 0, event.task != 0
    else { return true }
    return event.task >= holder
  }

  /// Whether the activity that held the object, or the function, made an unowned reference of its own, which may be the
  /// one that was read, or set the tracked one. The optimizer may make an unowned reference after the read.
  private func isFormedWithin(_ row: HistoryRow, _ lifetime: ObjectLifetime, _ late: LateDeallocation) -> Bool {
    lifetime.history.rows.contains { other in
      let isMade =
        row.event.kind == .reference
        ? other.event.referenceOperation == .set && other.event.referenceOwner == row.event.referenceOwner
        : other.event.kind == .unownedRetain
      guard isMade else { return false }
      switch late.kept.holder {
      case .activity(let rule):
        return (late.contains(other.event.sequence) || other.event.sequence > begin(of: late.kept, lifetime))
          && isWithin(other.event, sites.site(other.backtrace), late, sites.bit(rule))
      case .function where isInKeeper(other, late, 0) || isInCall(of: late.kept, other, lifetime): return true
      default: return late.contains(other.event.sequence) && other.event.thread == row.event.thread
      }
    }
  }

  /// Whether an event came in the call that held the object, before it took that reference: of several of one call, any
  /// may be the last.
  private func isInCall(of kept: Hold, _ row: HistoryRow, _ lifetime: ObjectLifetime) -> Bool {
    let call = sites.place(kept.retain.backtrace).key
    func isInside(_ row: HistoryRow) -> Bool {
      let place = sites.place(row.backtrace)
      return place.key == call || place.enclosing.contains(call)
    }
    let thread = kept.retain.event.thread
    guard row.event.sequence < kept.from, row.event.thread == thread, isInside(row) else { return false }
    // What came in between outside of the call shows that it was an earlier one.
    return lifetime.history.rows.allSatisfy { other in
      other.event.thread != thread || other.event.sequence <= row.event.sequence
        || other.event.sequence >= kept.from || isInside(other)
    }
  }

  /// When the activity began to hold the object without interruption, whichever of its references did.
  private func begin(of kept: Hold, _ lifetime: ObjectLifetime) -> UInt64 {
    lifetime.holds.filter { $0.holder == kept.holder && $0.from < kept.from }.sorted { $0.from > $1.from }
      .reduce(kept.from) { begin, hold in
        let end = hold.to ?? .max
        let isFollowed = lifetime.history.rows.contains { end < $0.event.sequence && $0.event.sequence < begin }
        return isFollowed ? begin : min(begin, hold.from)
      }
  }

  /// Whether some object that may have used this one existed before the last owner's release and was not created by the
  /// activity that held it, which may have given it the reference.
  private func hasOlderUser(
    _ row: HistoryRow, _ lifetime: ObjectLifetime, _ late: LateDeallocation, _ given: UInt64
  ) -> Bool {
    let typeNames = userTypes(row, lifetime.id)
    if typeNames.isEmpty { return true }
    let isSet = lifetime.history.rows.contains { other in
      other.event.sequence < row.event.sequence && isMeanwhile(other, late, given)
        && calls(other, late, given).contains { call in typeNames.contains { maySet(call, $0, lifetime.id) } }
    }
    if isSet { return false }
    guard let users = users(typeNames, at: row) else { return true }
    return users.contains { user in
      user.allocation.sequence < late.ownerRelease.event.sequence
        && !isWithin(user.allocation, sites.site(user.backtrace), late, given)
    }
  }

  /// The live objects of some types, which may have made a use.
  private func users(_ typeNames: [String], at row: HistoryRow) -> [Presence]? {
    let names = Set(typeNames.flatMap(classes.classes).map(\.withoutTypeArguments))
    return users?.filter { user in
      user.contains(row.event.sequence)
        && classes.lineage(user.className).contains { names.contains($0.withoutTypeArguments) }
    }
  }

  /// Whether the function that held the object created what may have used it: most likely from its own reference, which
  /// optimized code may have retained only then.
  private func isUserCreatedByKeeper(_ row: HistoryRow, _ lifetime: ObjectLifetime, _ late: LateDeallocation) -> Bool {
    guard case .function(let keeper) = late.kept.holder,
      let users = users(userTypes(row, lifetime.id), at: row), !users.isEmpty
    else { return false }
    return users.allSatisfy { sites.facts($0.backtrace).joined().contains { $0.isPart(of: keeper) } }
  }

  /// Whether an event came after the last owner's release, or in the activity that held the object by then.
  private func isMeanwhile(_ row: HistoryRow, _ late: LateDeallocation, _ given: UInt64) -> Bool {
    if late.contains(row.event.sequence) { return true }
    guard case .activity = late.kept.holder else { return false }
    return isInKeeper(row, late, given)
  }

  /// Whether an event came in the activity or function that held the object by then.
  private func isInKeeper(_ row: HistoryRow, _ late: LateDeallocation, _ given: UInt64) -> Bool {
    guard late.kept.from < row.event.sequence else { return false }
    switch late.kept.holder {
    case .function(let keeper):
      return sites.facts(row.backtrace).joined().contains { $0.isPart(of: keeper) }
    case .activity: return isWithin(row.event, sites.site(row.backtrace), late, given)
    default:
      return late.contains(row.event.sequence) && isWithin(row.event, sites.site(row.backtrace), late, given)
    }
  }

  /// The calls around an event, up to that of the activity or function that held the object.
  private func calls(_ row: HistoryRow, _ late: LateDeallocation, _ given: UInt64) -> some Sequence<FrameFacts> {
    let keeper: String? = if case .function(let name) = late.kept.holder { name } else { nil }
    return sites.facts(row.backtrace).joined().prefix { $0.rules & given == 0 && $0.frame.function != keeper }
  }

  /// Whether a call may have stored the object in a reference of an object of a type: one of its methods or setters was
  /// given it, one of the object's own was given the other one, or a function was given both. The method of a value may
  /// have both in the value.
  private func maySet(_ facts: FrameFacts, _ typeName: String, _ id: ObjectID) -> Bool {
    guard !facts.isLibrary, facts.isMeaningful, !facts.name.isClosure else { return false }
    let users = classes.classes(named: typeName).reduce(into: [typeName] as Set) {
      $0.formUnion(classes.shortLineage($1))
    }
    let type = facts.name.typeName
    switch facts.name.role {
    case .accessor(_, let sets): return sets && type.map(users.contains) == true
    case .function, .initializer: break
    default: return false
    }
    if let type, !users.contains(type), !classes.isReferringValue(type) {
      if classes.classes(named: type).isEmpty { return true }
      let isOwn = classes.shortLineage(id.className).contains(type)
      return (isOwn || mayTake(facts.frame, id)) && mayTake(facts.frame, users)
    }
    return mayTake(facts.frame, id) && (type != nil || mayTake(facts.frame, users))
  }

  /// Whether a part of the object used it, by a reference that cannot own it without a cycle: in the activity or
  /// function that holds the object, which has most likely reached the part by it, or while one of the object's own
  /// methods or closures ran. Whoever called that method keeps the object until it returns.
  private func isByPart(_ row: HistoryRow, _ site: CallSite, _ id: ObjectID, _ late: LateDeallocation) -> Bool {
    guard let user = ReferenceUser(row.backtrace, sites, classes), let typeName = user.name.typeName else {
      return false
    }
    let own = classes.shortLineage(id.className)
    guard !own.contains(typeName), let part = classes.classes(named: typeName).first,
      classes.isPart(part, of: id.className)
    else { return false }
    let isWithin =
      switch late.kept.holder {
      case .activity(let rule): isWithin(row.event, site, late, sites.bit(rule))
      case .function: true
      default: site.around != 0
      }
    return isWithin
      || sites.facts(row.backtrace).joined().contains { facts in
        !facts.isLibrary && !facts.name.isStatic && (facts.name.role == .function || facts.name.isClosure)
          && facts.name.typeName.map(own.contains) == true
      }
  }

  /// Whether the call that created the object, or was given the new one, retained it. That call may still have its own
  /// reference: if a closure it made has another one, which of the two was released first is not certain.
  private func isCreator(_ row: HistoryRow, _ site: CallSite, _ lifetime: ObjectLifetime) -> Bool {
    guard let birth = lifetime.history.allocation, let function = site.function?.function else { return false }
    return sites.isCreator(function, row.backtrace, of: birth.backtrace, lifetime.id.shortClassName)
  }

  /// Whether the call that retained it had taken a reference that still exists: it may be its own, if which of the two
  /// the activity got is only guessed. What the copy of a block took is the block's.
  private func isTaker(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> Bool {
    guard let call = sites.programCall(row.backtrace) else { return false }
    return lifetime.holding(at: row.event.sequence).contains { hold in
      hold.balance != .sure && hold.retain.event.kind != .allocate && hold.retain.event.sequence < row.event.sequence
        && sites.site(hold.retain.backtrace).role != .blockCopy
        && sites.programCall(hold.retain.backtrace, skippingAccessors: true) == call
    }
  }

  /// Whether a closure runs whose maker took a reference that was only guessed to have ended before: the closure may
  /// have captured it.
  private func isPerhapsCaptured(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> Bool {
    let makers = Set(
      sites.facts(row.backtrace).joined().filter { $0.name.isClosure && !$0.isLibrary }.compactMap { closure in
        closure.frame.function.range(of: " in ").map { String(closure.frame.function[$0.upperBound...]) }
      })
    guard !makers.isEmpty else { return false }
    return lifetime.holds.contains { hold in
      hold.balance != .sure && hold.retain.event.sequence < row.event.sequence && hold.retain.event.kind != .allocate
        && sites.facts(hold.retain.backtrace).joined().contains { makers.contains($0.frame.function) }
    }
  }

  /// Nil for the read of an unowned reference, which traps if the object is gone.
  private func access(_ row: HistoryRow) -> Finding.Access? {
    switch row.event.kind {
    case .retain, .retainN: .retain
    case .reference: row.event.referenceStrength == .unowned ? nil : .read
    default: nil
    }
  }

  /// Whether a closure can have reached the object only through an uncounted capture: it took no argument that can
  /// contain it, no activity runs it, and neither a context nor a strong reference was created where the closure was.
  private func isUncountedCapture(_ row: HistoryRow, _ site: CallSite, _ lifetime: ObjectLifetime) -> Bool {
    guard site.name?.isClosure == true, site.runner == nil, let closure = site.function,
      let range = closure.function.range(of: " in "), closure.mangledName?.contains("yycfU") == true
    else { return false }
    let maker = closure.function[range.upperBound...]
    func passes(_ row: HistoryRow) -> Bool {
      sites.facts(row.backtrace).joined().contains { $0.frame.function == maker }
    }
    if passes(row) { return false }
    return !lifetime.holds.contains { hold in
      // Only a reference that certainly ended in the call that took it was not captured.
      if case .function = hold.holder, hold.confidence == .sure { return false }
      return passes(hold.retain)
    }
  }

  /// Whether a function can have reached the object only through an uncounted reference of its own object.
  private func isUncounted(_ row: HistoryRow, _ id: ObjectID) -> Bool {
    guard let user = ReferenceUser(row.backtrace, sites, classes), let typeName = user.name.typeName,
      !user.name.isClosure
    else { return false }
    let own = classes.shortLineage(id.className)
    guard !own.contains(typeName), let className = classes.classes(named: typeName).first,
      !referrers(typeName, id).isEmpty,
      classes.properties(of: className, referringTo: id.className, [.strong, .weak]).allSatisfy(
        \.property.isExistential)
    else { return false }
    // A method that was given the object may have stored it before it called this one.
    let callers = sites.facts(row.backtrace).joined().filter { $0.name.typeName == typeName && !$0.name.isClosure }
    return !callers.contains { $0.name.role == .function && mayTake($0.frame, id) } && !mayTake(user.function, id)
      && user.between.allSatisfy { $0.name.role != .initializer && !mayTake($0.frame, id) }
  }
}
