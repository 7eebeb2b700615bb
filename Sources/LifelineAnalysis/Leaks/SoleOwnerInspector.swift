import LifelineLifetimes

/// Tells whether properties or captures were an object's only owners while the object was still needed: made weak, they
/// would lose the object.
struct SoleOwnerInspector {
  let sites: CallSiteTable
  let classes: ClassTable
  /// Whether a weak load counts as a use. What is only referred to weakly may be gone: a test that asks whether it is
  /// needs it no longer, a timer that calls it then still does.
  var countsWeakLoads = false

  /// Whether an object would be gone too early after the changes. `others` are those of its cycle.
  func isLost(_ lifetime: ObjectLifetime, by held: OnlyHeld, usedBy others: [ObjectLifetime]) -> Bool {
    let properties = held.changes.compactMap(\.weakenedProperty)
    if properties.count == held.changes.count {
      if isAlone(properties, held, lifetime) { return true }
      // A name like "parent" says more.
      if properties.allSatisfy({ LeakCutInspector.isBackReference($0.property) }) { return false }
    }
    return others.contains { isSurvived(lifetime, by: $0) }
  }

  /// Of an object to which in the end only some references refer, which are in properties.
  private func isAlone(
    _ properties: [(className: String, property: String)], _ held: OnlyHeld, _ lifetime: ObjectLifetime
  ) -> Bool {
    guard !lifetime.history.isCut, !lifetime.history.isOlder else { return false }
    let owners = properties.map { Set(classes.shortLineage($0.className).map(\.withoutTypeArguments)) }
    let rows = lifetime.history.rows.filter { $0.event.strongChange != 0 }
    let stored = rows.last { row in
      guard row.event.kind != .allocate, let name = sites.site(row.backtrace).name, !name.isClosure,
        let typeName = name.typeName?.withoutTypeArguments
      else { return false }
      return zip(properties, owners).contains { property, owners in
        guard owners.contains(typeName) else { return false }
        return switch name.role {
        case .initializer: true
        case .accessor(let name, sets: true): name == property.property.prefix { $0 != "." }
        default: false
        }
      }
    }
    let isNamedBack = properties.allSatisfy { LeakCutInspector.isBackReference($0.property) }
    if let stored {
      // Of several holders, the youngest may have been given another one's reference later.
      let isComplete = held.references == 1 || stored.event.sequence > held.since
      return isComplete && stored.event.count == held.references
        || !isNamedBack && isTakenAgain(after: stored.event.sequence, held, lifetime)
    }
    return !isNamedBack && isTakenAgain(held, lifetime)
      || held.references == 1
        && (isMoved(lifetime, held, isNamedBack: isNamedBack) || isTakenAgain(lifetime)
          || isUsedByMaker(owners[0], lifetime))
  }

  /// The owner's own code created the object, and the program took it again after that call, when there was no other
  /// reference.
  private func isUsedByMaker(_ owners: Set<String>, _ lifetime: ObjectLifetime) -> Bool {
    let rows = lifetime.history.rows, name = lifetime.id.shortClassName
    guard let allocation = lifetime.history.allocation,
      lifetime.pairing.unpairedRetains.contains(where: { rows[$0].event.kind == .allocate }),
      let maker = sites.allocating(allocation.backtrace, of: name),
      let typeName = maker.name.typeName?.withoutTypeArguments, owners.contains(typeName)
    else { return false }
    return rows.contains { row in
      row.event.kind != .allocate && isUse(row) && row.event.count == 2
        && sites.site(row.backtrace).function != nil && sites.site(row.backtrace).library == nil
        && !sites.facts(row.backtrace).joined().contains { $0.frame.function == maker.frame.function }
    }
  }

  /// Nothing was retained to be stored: the property has the allocation's reference, and others took one for a
  /// statement at a time. If nobody did, a name like "parent" says more, and no object is made for its own property.
  private func isMoved(_ lifetime: ObjectLifetime, _ held: OnlyHeld, isNamedBack: Bool) -> Bool {
    let (rows, pairing) = (lifetime.history.rows, lifetime.pairing)
    let isForProperty = !isNamedBack && held.since != lifetime.history.allocation?.event.sequence
    return pairing.unpairedRetains.count == 1 && rows[pairing.unpairedRetains[0]].event.kind == .allocate
      && pairing.unpairedReleases.isEmpty && (isForProperty || pairing.pairs.contains { isUse(rows[$0.retain]) })
      && pairing.pairs.allSatisfy { sites.isMomentary(rows[$0.retain], rows[$0.release]) }
  }

  /// The function that allocated the object took it for one last statement when there was one reference left, the
  /// property's. It has no reference of its own then, which would end after that.
  private func isTakenAgain(_ lifetime: ObjectLifetime) -> Bool {
    let rows = lifetime.history.rows
    guard let allocation = lifetime.history.allocation else { return false }
    let allocator = sites.allocator(allocation.backtrace, of: lifetime.id.shortClassName)
    guard !allocator.isEmpty,
      let last = rows.lastIndex(where: {
        $0.event.strongChange < 0 && sites.site($0.backtrace).function?.function == allocator
      }),
      let pair = lifetime.pairing.pairs.first(where: { $0.release == last && $0.confidence == .sure }),
      isUse(rows[pair.retain])
    else { return false }
    let isOnlyReference = rows[last].event.count == 1 && rows[pair.retain].event.count == 2
    let others = lifetime.pairing.pairs.contains { $0.release < pair.retain && rows[$0.release].event.count == 1 }
    return isOnlyReference && others && sites.isMomentary(rows[pair.retain], rows[last])
  }

  /// The program took it again, for a statement at a time, when only as many references were left as in the end: they
  /// were all stored by then.
  private func isTakenAgain(_ held: OnlyHeld, _ lifetime: ObjectLifetime) -> Bool {
    let rows = lifetime.history.rows
    let momentary = lifetime.pairing.pairs.filter { pair in
      let (retain, release) = (rows[pair.retain], rows[pair.release])
      return pair.confidence == .sure
        && (sites.isMomentary(retain, release) || sites.mayEnd(with: release.backtrace, retain.backtrace))
    }
    let passing = Set(momentary.map(\.retain))
    guard lifetime.pairing.unpairedReleases.isEmpty,
      let last = rows.indices.last(where: { rows[$0].event.strongChange > 0 && !passing.contains($0) })
    else { return false }
    return isTakenAgain(after: rows[last].event.sequence, held, lifetime)
  }

  /// Whether everything but the references ended after the last of them was stored, and the object was in use again
  /// later: without them it would have been gone.
  private func isTakenAgain(after stored: UInt64, _ held: OnlyHeld, _ lifetime: ObjectLifetime) -> Bool {
    let rows = lifetime.history.rows.drop { $0.event.sequence <= max(stored, held.since) }
    guard let alone = rows.first(where: { $0.event.strongChange < 0 && $0.event.count == held.references }) else {
      return false
    }
    return rows.contains { row in
      row.event.sequence > alone.event.sequence && isUse(row)
        && row.event.count == held.references + 1
        && sites.site(row.backtrace).function != nil && sites.site(row.backtrace).library == nil
    }
  }

  /// Whether an object lost what held it from outside before another one of its cycle did, in a call that had returned
  /// by then: the other one was in use without it being held otherwise.
  private func isSurvived(_ lifetime: ObjectLifetime, by other: ObjectLifetime) -> Bool {
    guard isComplete(lifetime), let later = isComplete(other) ? lastRelease(other) : lastRetain(other) else {
      return false
    }
    let release = lastRelease(lifetime)
    guard let own = release ?? lifetime.history.allocation, own.event.sequence < later.event.sequence,
      own.event.thread == later.event.thread, !sites.mayEnd(with: later.backtrace, own.backtrace)
    else { return false }
    // Nothing but statements held what has no such release, so what counts is the call that allocated it.
    let call = sites.place(own.backtrace), place = sites.place(later.backtrace)
    let ended = release == nil ? call.enclosing.first ?? call.key : call.key
    return place.key != ended && !place.enclosing.contains(ended)
  }

  private func isComplete(_ lifetime: ObjectLifetime) -> Bool {
    !lifetime.history.isCut && !lifetime.history.isOlder && lifetime.pairing.unpairedReleases.isEmpty
  }

  /// The last reference that the program took, whichever release balanced it.
  private func lastRetain(_ lifetime: ObjectLifetime) -> HistoryRow? {
    lifetime.history.rows.last { row in
      let site = sites.site(row.backtrace)
      return row.event.kind != .allocate && isUse(row) && site.function != nil && site.library == nil
    }
  }

  private func isUse(_ row: HistoryRow) -> Bool {
    row.event.strongChange > 0 && (countsWeakLoads || row.event.kind != .weakLoad)
  }

  /// The last release of a reference that was kept for more than a statement.
  private func lastRelease(_ lifetime: ObjectLifetime) -> HistoryRow? {
    let rows = lifetime.history.rows
    return lifetime.pairing.pairs.filter {
      isUse(rows[$0.retain]) && !sites.isMomentary(rows[$0.retain], rows[$0.release])
    }
    .map { rows[$0.release] }.max { $0.event.sequence < $1.event.sequence }
  }
}
