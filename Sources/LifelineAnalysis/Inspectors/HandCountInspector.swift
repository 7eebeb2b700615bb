import LifelineLifetimes
import LifelineTrace

/// Finds the type whose methods released an object more often than they retained it, if the type only has pointers to
/// it: manually counted references.
struct HandCountInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  /// In the order of their first release. If the access is a release too many, code that made no other is the last.
  func counts(_ lifetime: ObjectLifetime, before access: UInt64, isSurplus: Bool) -> [HandCount] {
    // A retain and release within one call are balanced, and so is the release of what a call inside it returned.
    let balanced = Set(
      lifetime.pairing.pairs.filter { $0.confidence == .sure || isReturned($0, lifetime.history.rows) }.flatMap {
        [$0.retain, $0.release]
      })
    var order: [String] = []
    var others: Set<String> = []
    var found: [String: HandCount] = [:]
    for (index, row) in lifetime.history.rows.enumerated() where row.event.sequence < access {
      guard row.event.strongChange != 0, row.event.kind != .allocate,
        let name = counter(sites.site(row.backtrace), lifetime.id)
      else { continue }
      if balanced.contains(index) {
        others.insert(name)
        continue
      }
      if found[name] == nil {
        order.append(name)
        found[name] = HandCount(counter: name)
      }
      if row.event.strongChange < 0 { found[name]!.releases.append(row) } else { found[name]!.retains.append(row) }
    }
    for name in others { found[name]?.tookOthers = true }
    let creator = creator(lifetime)
    if let creator { found[creator]?.isCreator = true }
    if isSurplus, !order.isEmpty, let row = lifetime.history.rows.first(where: { $0.event.sequence == access }),
      let name = counter(sites.site(row.backtrace), lifetime.id), found[name] == nil || name == creator
    {
      if found[name] == nil {
        order.append(name)
        found[name] = HandCount(counter: name)
      }
      found[name]!.releases.append(row)
    }
    return order.compactMap { found[$0] }.filter(\.isExcess)
  }

  /// The type whose method created the object and returned nothing, so that it kept the first reference.
  private func creator(_ lifetime: ObjectLifetime) -> String? {
    guard let birth = lifetime.history.allocation,
      let maker = sites.allocating(birth.backtrace, of: lifetime.id.shortClassName),
      maker.isResultless || maker.name.role == .initializer, !maker.name.isClosure
    else { return nil }
    return maker.name.typeName
  }

  /// Whether the releasing call was still running when a call inside it took the reference, which it may have returned.
  private func isReturned(_ pair: Pairing.Pair, _ rows: [HistoryRow]) -> Bool {
    let (retain, release) = (rows[pair.retain].event, rows[pair.release].event)
    guard retain.kind != .allocate, retain.thread == release.thread else { return false }
    let taken = sites.place(rows[pair.retain].backtrace)
    return !taken.ownsArguments
      && taken.enclosing.prefix(taken.reach).contains(sites.place(rows[pair.release].backtrace).key)
  }

  /// The releases that were one `Unmanaged.release()` or `takeRetainedValue()` in unoptimized code, which retains an
  /// object there and releases it twice.
  func releases(_ lifetime: ObjectLifetime, before access: UInt64) -> [HistoryRow] {
    let rows = lifetime.history.rows
    let counted = rows.indices.filter { rows[$0].event.strongChange != 0 && rows[$0].event.sequence < access }
    let sure = Dictionary(
      lifetime.pairing.pairs.filter { $0.confidence == .sure }.map { ($0.release, $0.retain) },
      uniquingKeysWith: { first, _ in first })
    return zip(counted, counted.dropFirst()).compactMap { first, second in
      // In optimized code a statement may also take and release a reference beside that of what it removes.
      guard rows[second].event.strongChange == -1, sure[second] == nil, let retain = sure[first],
        isOneLine([rows[retain], rows[first], rows[second]]), sites.isOptimized(rows[second].backtrace) != true
      else { return nil }
      return rows[second]
    }
  }

  /// Whether the function that allocated the object made an event, unless it is the main function.
  func isMadeByAllocatingFunction(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> Bool {
    guard let allocation = lifetime.history.allocation else { return false }
    let site = sites.site(row.backtrace)
    return !site.isMain
      && site.function?.function == sites.allocator(allocation.backtrace, of: lifetime.id.shortClassName)
  }

  /// Whether code used the object through a pointer, as `Unmanaged` has one, after code of the same type had released
  /// it: that may have taken over a reference which the pointer did not own.
  func usesPointer(_ backtrace: BacktraceID, after lifetime: ObjectLifetime) -> Bool {
    guard let user = counter(sites.site(backtrace), lifetime.id), let final = lifetime.history.finalRelease else {
      return false
    }
    return counter(sites.site(final.backtrace), lifetime.id) == user
  }

  /// Whether one call made all events at one line of the source.
  private func isOneLine(_ rows: [HistoryRow]) -> Bool {
    guard let line = sites.site(rows[0].backtrace).function?.line else { return false }
    let call = sites.place(rows[0].backtrace).key
    return rows.allSatisfy { row in
      let site = sites.site(row.backtrace)
      let place = sites.place(row.backtrace)
      // An initializer or setter releases its argument.
      return place.key == call && site.function?.line == line && site.isDirect && !place.ownsArguments
    }
  }

  /// How mangled names contain pointers.
  private static let pointers = ["Sv", "SV", "s9UnmanagedV"]

  /// The class, or the function that does not belong to one, that handles the object through a pointer.
  private func counter(_ site: CallSite, _ id: ObjectID) -> String? {
    // A closure may have captured the object, except one that is a C function.
    guard let function = site.function, site.library == nil || site.isUnmanaged, let name = site.name,
      !name.isClosure || site.isForC, site.role != .contextDestroy, !site.isMain
    else { return nil }
    guard name.role == .function, !Specialization(function.mangledName).hasInlinedFunction else { return nil }
    guard !name.isClosure, let typeName = name.typeName, !(name.isStatic && classes.classes(named: typeName).isEmpty)
    else {
      let signature = function.mangledName ?? ""
      return Self.pointers.contains(where: signature.contains) ? function.function : nil
    }
    guard let className = classes.classes(named: typeName).first,
      !classes.shortLineage(id.className).contains(typeName), classes.countsByHand(className),
      !classes.keepsClosures(className), classes.properties(of: className, referringTo: id.className, [.strong]).isEmpty
    else { return nil }
    return typeName
  }
}
