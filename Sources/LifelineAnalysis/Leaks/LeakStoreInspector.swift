import LifelineLifetimes
import LifelineTrace

/// Determines at which event each reference of a leak was stored: the retain or allocation without a balancing release.
///
/// Equal references can change places: which release balanced which of them is certain only if one statement took and
/// released the reference. So all retains are candidates for the remaining one.
struct LeakStoreInspector {
  let lifetimes: [ObjectID: ObjectLifetime]
  let sites: CallSiteTable
  let classes: ClassTable
  /// Classes whose retains and releases were not recorded: nothing is known about references to their objects.
  var uncounted: Set<String> = []

  /// The maximum number of candidate places of a reference; more are useless.
  private static let limit = 3

  /// Fills in the steps' stores, and the unbalanced references of an unreferenced object.
  func complete(_ leak: inout Leak, of object: ObjectID) {
    for index in leak.steps.indices.dropLast() {
      if leak.steps[index].kind != .object {
        leak.steps[index].allocation = leak.steps[index].object.flatMap { lifetimes[$0]?.history.allocation }
      }
      // An intermediate step that is not an object passes the reference on: what it holds is stored with it.
      // What reads a box retains it as well: only its allocation is known to have stored it.
      guard !leak.steps[index + 1].isBox, let target = leak.steps[index + 1].object,
        !uncounted.contains(target.className), let lifetime = lifetimes[target]
      else { continue }
      let holder = leak.steps[...index].last { $0.kind == .object }
      leak.steps[index].stores = stores(lifetime, step: leak.steps[index], holder: holder)
      if leak.steps[index].stores.isEmpty { leak.note(doubt(lifetime)) }
    }
    if case .holder = leak.cause { return }
    if leak.cause != .cycle, !uncounted.contains(object.className), let lifetime = lifetimes[object] {
      let unbalanced = open(lifetime, momentary: true).compactMap { rows in
        rows.last { sites.site($0.backtrace).isUnmanaged } ?? rows.last
      }
      let doubt = doubt(lifetime)
      leak.unbalanced =
        switch doubt?.reason {
        // Which of the references a task's frames have is certain only if the others ended where they were taken.
        case nil: leak.cause == .task && lasting(lifetime).contains { $0.confidence == .likely } ? [] : unbalanced
        case .cut: []
        // Manually counted references are paired among themselves.
        case .older, .unpaired: unbalanced.filter { sites.site($0.backtrace).isUnmanaged }
        }
      if leak.unbalanced.isEmpty { leak.note(doubt) }
      if leak.cause == .unbalanced, leak.unbalanced.count == 1 {
        let others = own(instead: leak.unbalanced[0], lifetime) + alternatives(leak.unbalanced[0], lifetime)
        leak.alternatives = Array(onePerPlace(others, lifetime).prefix(Self.limit - 1))
      }
    }
  }

  /// The allocation, if another function's code, inlined in the one that allocated the object, took the open reference:
  /// the optimizer may have removed a `passRetained` together with the owner's release, and what is released may be
  /// what the other function took.
  private func own(instead open: HistoryRow, _ lifetime: ObjectLifetime) -> [HistoryRow] {
    guard open.event.kind != .allocate, !sites.site(open.backtrace).isUnmanaged,
      let allocation = lifetime.history.allocation
    else { return [] }
    let allocator = sites.allocator(allocation.backtrace, of: lifetime.id.shortClassName)
    let frames = sites.facts(open.backtrace).first { $0.contains { !$0.isLibrary } } ?? []
    let isInlined =
      sites.site(open.backtrace).function?.function != allocator
      && frames.contains { $0.frame.function == allocator }
    return isInlined ? [allocation] : []
  }

  /// Retains whose release may have been that of the open reference: any, if it is the allocation's, as when an owner
  /// gives up its own after a `passRetained`; otherwise those of the same function, and what was taken at once.
  private func alternatives(_ open: HistoryRow, _ lifetime: ObjectLifetime) -> [HistoryRow] {
    let rows = lifetime.history.rows
    let function = sites.site(open.backtrace).function?.function
    // An inlined `passRetained`, after which an owner gives up the allocation's reference, looks like one statement.
    let first = balanced(lifetime).first {
      $0.retain == 1 && $0.release == 2 && isMadeByAllocatingCall(rows[2], lifetime)
        && !sites.site(open.backtrace).isUnmanaged
    }
    return (lasting(lifetime) + [first].compactMap { $0 }).map { rows[$0.retain] }.filter { row in
      let site = sites.site(row.backtrace)
      return site.function != nil && site.library == nil && !isReader(row)
        && place(row, lifetime) != place(open, lifetime)
        && (open.event.kind == .allocate || site.function?.function == function
          || row.event.sequence == first.map { rows[$0.retain].event.sequence })
    }
  }

  /// Why some open retain may have been balanced after all; nil if none was.
  private func doubt(_ lifetime: ObjectLifetime) -> Leak.Doubt? {
    if lifetime.history.isCut { return Leak.Doubt(object: lifetime.id, reason: .cut(events: lifetime.history.leftOut)) }
    if lifetime.history.isOlder { return Leak.Doubt(object: lifetime.id, reason: .older) }
    let oldest = lifetime.pairing.unpairedRetains.min() ?? .max
    let unpaired = lifetime.pairing.unpairedReleases.count { $0 > oldest }
    guard unpaired > 0 else { return nil }
    // A retain whose release is only likely to be its own may be the one that remains.
    let paired = lasting(lifetime).filter { $0.confidence == .likely && $0.release > oldest }
    let candidates = open(lifetime).joined() + paired.map { lifetime.history.rows[$0.retain] }
    // A reference taken by a library is released by it somewhere, or kept for itself.
    let own = candidates.filter { row in
      let site = sites.site(row.backtrace)
      return site.function != nil && site.library == nil && !isReader(row)
    }
    let places = onePerPlace(own, lifetime)
    return Leak.Doubt(
      object: lifetime.id, reason: .unpaired(releases: unpaired), perhaps: places.count <= Self.limit ? places : [])
  }

  /// The unbalanced references, each as the rows that it may be.
  ///
  /// If one is the allocation's own, and the call that allocated the object released it, one of those releases balanced
  /// the allocation, and the retain it was paired with remains. Which of them is unknown.
  private func open(_ lifetime: ObjectLifetime, momentary: Bool = false) -> [[HistoryRow]] {
    let rows = lifetime.history.rows
    let open = lifetime.pairing.unpairedRetains
    guard let birth = open.firstIndex(where: { rows[$0].event.kind == .allocate }) else {
      return open.map { [rows[$0]] }
    }
    let kept = lasting(lifetime).filter { isMadeByAllocatingCall(rows[$0.release], lifetime) }
    let given =
      momentary && kept.isEmpty
      ? balanced(lifetime).filter {
        isMadeByAllocatingCall(rows[$0.release], lifetime) && isGivable(rows[$0.retain], lifetime)
      }
      : kept
    let instead = given.sorted { $0.release < $1.release }.map { rows[$0.retain] }
    return open.indices.map { $0 == birth && !instead.isEmpty ? instead : [rows[open[$0]]] }
  }

  /// Whether what a statement took and released again may have been handed over in it: to `Unmanaged`, whose functions
  /// are inlined in optimized code, and in any code that passes a new object. What reads a property returns its
  /// reference.
  private func isGivable(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> Bool {
    if sites.site(row.backtrace).isUnmanaged { return true }
    let isAtBirth = lifetime.history.allocation.map { place($0, lifetime) == place(row, lifetime) } ?? false
    return !isReader(row) && (isAtBirth || sites.isOptimized(row.backtrace) != false)
  }

  /// Whether the call that allocated the object made an event. A recursive function's other calls did not allocate it.
  private func isMadeByAllocatingCall(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> Bool {
    guard let allocation = lifetime.history.allocation else { return false }
    let className = lifetime.id.shortClassName
    let allocator = sites.allocator(allocation.backtrace, of: className)
    return !allocator.isEmpty && sites.site(row.backtrace).function?.function == allocator
      && sites.isCall(row.backtrace, inside: allocation.backtrace, of: className)
  }

  func balanced(_ lifetime: ObjectLifetime) -> [Pairing.Pair] {
    InlinedPairs(lifetime, sites).pairs.filter { lifetime.history.rows[$0.retain].event.kind != .allocate }
  }

  /// Retains that something other than the same statement balanced: the reference may have been handed on to another
  /// place.
  private func lasting(_ lifetime: ObjectLifetime) -> [Pairing.Pair] {
    let rows = lifetime.history.rows
    return balanced(lifetime).filter { !sites.isMomentary(rows[$0.retain], rows[$0.release]) }
  }

  /// Events, one of which stored a step's reference, one per place; empty if too little is known.
  private func stores(_ lifetime: ObjectLifetime, step: LeakStep, holder: LeakStep?) -> [HistoryRow] {
    func isOther(_ row: HistoryRow) -> Bool { isInside(row, step) || isElsewhere(row, step) }
    let open = open(lifetime).flatMap { $0 }.filter { !isOther($0) }
    if let certain = certainStores(lifetime, step, holder, open) { return certain }
    guard let oldest = lifetime.pairing.unpairedRetains.min(),
      let best = open.map({ score($0, lifetime, step, holder) }).max()
    else { return [] }
    // References taken by the holder's own code are its own: its memory shows the reference.
    if best < 2, doubt(lifetime) != nil { return [] }
    let rows = lifetime.history.rows
    // Of two properties of one holder, only a setter's name tells which one a reference is in.
    let isSure = best >= 4 || !step.isHeldTwice
    let likeliest = isSure ? open.filter { score($0, lifetime, step, holder) == best } : open
    let born = birth(of: step) ?? holder.flatMap(birth)
    let isBirth = likeliest.contains { $0.event.kind == .allocate }
    if isBirth, let allocation = lifetime.history.allocation {
      if isMade(allocation, by: holder, lifetime) { return [allocation] }
      // An object that holds itself was created before: if only one place took another reference, that is the one.
      if born == allocation.event.sequence {
        let taken = balanced(lifetime).filter { isMadeByAllocatingCall(rows[$0.release], lifetime) }.map {
          rows[$0.retain]
        }
        return taken.count == balanced(lifetime).count && onePerPlace(taken, lifetime).count == 1 ? [taken[0]] : []
      }
      // An object is not held before its holder exists: the allocation's reference was handed over at an unknown place.
      guard let born, born < allocation.event.sequence, !isHandedOver(lifetime, to: holder) else { return [] }
    }
    let known = Set(open.map(\.event.sequence))
    // If the holder's own code took an unreleased reference, no other code handed it over.
    let least = isBirth || best < 2 || !isSure ? 0 : best
    let handedOn = lasting(lifetime).filter { $0.release > oldest }.map { rows[$0.retain] }
    // If the call that made the object released several references, one may be a statement's own, and the property may
    // have been given the allocation's at once.
    let ended = lifetime.pairing.pairs.filter { isMadeByAllocatingCall(rows[$0.release], lifetime) }
    let isGiven =
      step.kind == .object && ended.count { !sites.isMomentary(rows[$0.retain], rows[$0.release]) } > 1
    // What looked like the inlined function's reference may be the one that the statement before it gave away.
    let mixed =
      isBirth
      ? InlinedPairs(lifetime, sites).exchanged.filter {
        isMadeByAllocatingCall(rows[$0.release], lifetime) && isGivable(rows[$0.retain], lifetime)
      }.map { rows[$0.retain] } : []
    let others = (handedOn + mixed + (isGiven ? lifetime.history.allocation.map { [$0] } ?? [] : [])).filter {
      score($0, lifetime, step, holder) >= least && !isOther($0)
    }
    var candidates = likeliest + others.filter { !known.contains($0.event.sequence) }
    // Calls of functions without names cannot be told apart, nor what reads from what stores.
    if candidates.contains(where: { sites.site($0.backtrace).function?.isNamed == false }) { return [] }
    let captures = step.kind == .closure ? captures(lifetime, by: step, among: candidates) : nil
    if captures?.isEmpty == true { return [] }
    if let captures {
      candidates = onLine(of: step, captures)
    } else if step.kind == .closure {
      // A library that reads a property with the closure retains what it captured, and did not capture it.
      let others = candidates.filter { !isReader($0) || sites.site($0.backtrace).library == nil }
      if !others.isEmpty { candidates = others }
    }
    // Code that reads a property releases what it retained, so the place of the store is unknown.
    if captures == nil, candidates.contains(where: { isReader($0, for: holder) }) { return [] }
    let stores = onePerPlace(candidates, lifetime, near: captures == nil ? nil : step.allocation?.event.sequence)
    return stores.count <= Self.limit ? stores : []
  }

  /// The events that stored the reference, if nothing else can have; nil if others have to be considered.
  private func certainStores(
    _ lifetime: ObjectLifetime, _ step: LeakStep, _ holder: LeakStep?, _ open: [HistoryRow]
  ) -> [HistoryRow]? {
    // What the owner creates in its own initializer is there from the beginning. A closure retains what it captures.
    if step.kind != .closure, let allocation = lifetime.history.allocation, isMade(allocation, by: holder, lifetime),
      lifetime.pairing.unpairedRetains.contains(where: { lifetime.history.rows[$0].event.kind == .allocate })
        || !open.isEmpty && open.allSatisfy({ isCopy($0, of: step) })
    {
      return [allocation]
    }
    if let allocation = lazyValue(lifetime, step: step, holder: holder) { return [allocation] }
    return stored(lifetime, step, holder) ?? onlyReference(lifetime).map { [$0] }
  }

  /// The retains whose references the code itself shows to be in the step's property, one per place; nil if not all
  /// references in such a property are of these.
  private func stored(_ lifetime: ObjectLifetime, _ step: LeakStep, _ holder: LeakStep?) -> [HistoryRow]? {
    guard let place = step.place, !lifetime.history.isCut, !lifetime.history.isOlder else { return nil }
    let lineage = holder.map { classes.shortLineage($0.className) } ?? []
    let stored = StoredReferences(at: place.offsets, of: lineage, lifetime, sites)
    guard let last = stored.retains.last, stored.remaining >= place.holders else { return nil }
    let places = onePerPlace(stored.retains, lifetime)
    if places.count == 1 {
      // The latest replaced the others. Of several holders, each was rather given the object when it was new.
      let born = holder.flatMap(birth) ?? 0
      return [place.holders == 1 ? last : stored.retains.first { $0.event.sequence > born } ?? last]
    }
    // Which holder has which is unknown.
    return place.holders == 1 && places.count <= Self.limit ? places : nil
  }

  /// The allocation of an object that nobody retained: wherever its reference was handed over, that is the one.
  private func onlyReference(_ lifetime: ObjectLifetime) -> HistoryRow? {
    guard !lifetime.history.isCut, !lifetime.history.isOlder else { return nil }
    let rows = lifetime.history.rows.filter { $0.event.strongChange != 0 }
    return rows.count == 1 && rows[0].event.kind == .allocate ? rows[0] : nil
  }

  /// Whether the code stored the reference in another property.
  private func isElsewhere(_ row: HistoryRow, _ step: LeakStep) -> Bool {
    guard case .stored(let offset, from: .object)? = sites.referenceMove(row.backtrace) else { return false }
    return step.kind == .storage || offset.isOther(than: step.place?.offsets ?? [])
  }

  /// The first at each place, or the one next to the event that created a closure's context.
  private func onePerPlace(
    _ candidates: [HistoryRow], _ lifetime: ObjectLifetime, near birth: UInt64? = nil
  ) -> [HistoryRow] {
    var places: Set<Place> = []
    func distance(_ row: HistoryRow) -> UInt64 {
      birth.map { max($0, row.event.sequence) - min($0, row.event.sequence) } ?? row.event.sequence
    }
    return candidates.sorted { distance($0) < distance($1) }
      .filter { places.insert(place($0, lifetime)).inserted }
      .sorted { $0.event.sequence < $1.event.sequence }
  }

  /// Whether the holder's own initializer, or its superclass's, allocated the object: in the same call that allocated
  /// the holder.
  private func isMade(_ allocation: HistoryRow, by holder: LeakStep?, _ lifetime: ObjectLifetime) -> Bool {
    guard let holder, let birth = holder.object.flatMap({ lifetimes[$0]?.history.allocation }),
      birth.event.sequence < allocation.event.sequence, birth.event.thread == allocation.event.thread,
      let maker = maker(allocation, lifetime)?.name, maker.role == .initializer, let typeName = maker.typeName,
      classes.shortLineage(holder.className).contains(typeName.withoutTypeArguments)
    else { return false }
    return sites.isCall(allocation.backtrace, inside: birth.backtrace, of: holder.shortClassName)
  }

  private struct Place: Hashable {
    let function: String?
    let line: Int?
  }

  private func place(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> Place {
    let frame = maker(row, lifetime)?.frame ?? sites.site(row.backtrace).function
    return Place(function: frame?.function, line: frame?.line)
  }

  /// For an allocation, the function that allocated the object, outside of its own initializers.
  private func maker(_ row: HistoryRow, _ lifetime: ObjectLifetime) -> FrameFacts? {
    row.event.kind == .allocate ? sites.allocating(row.backtrace, of: lifetime.id.shortClassName) : nil
  }

  /// Whether another class's method took it in one statement, which may have been that of an earlier holder.
  private func isHandedOver(_ lifetime: ObjectLifetime, to holder: LeakStep?) -> Bool {
    let rows = lifetime.history.rows
    let own = [holder?.shortClassName, lifetime.id.shortClassName].map { $0?.withoutTypeArguments }
    return balanced(lifetime).contains { pair in
      guard let typeName = sites.site(rows[pair.retain].backtrace).name?.typeName?.withoutTypeArguments else {
        return false
      }
      return !own.contains(typeName) && !isMadeByAllocatingCall(rows[pair.retain], lifetime)
        && sites.isMomentary(rows[pair.retain], rows[pair.release])
    }
  }

  /// Whether a getter took the reference, to return it. One that creates the holder gives it the object.
  private func isReader(_ row: HistoryRow, for holder: LeakStep? = nil) -> Bool {
    let site = sites.site(row.backtrace)
    guard case .accessor(_, sets: false) = site.name?.role else { return false }
    guard let holder, let birth = holder.object.flatMap({ lifetimes[$0]?.history.allocation }) else { return true }
    return sites.allocating(birth.backtrace, of: holder.shortClassName)?.frame.function != site.function?.function
  }

  /// The allocation of a lazy property's object, if its getter allocated it and its setter never had it.
  private func lazyValue(_ lifetime: ObjectLifetime, step: LeakStep, holder: LeakStep?) -> HistoryRow? {
    let rows = lifetime.history.rows
    guard step.kind == .object, let holder, let allocation = lifetime.history.allocation,
      lifetime.pairing.unpairedRetains.contains(where: { rows[$0].event.kind == .allocate }),
      let name = maker(allocation, lifetime)?.name, let typeName = name.typeName,
      name.role == .accessor(property: step.ownProperty ?? "", sets: false),
      classes.shortLineage(holder.className).contains(typeName.withoutTypeArguments),
      !rows.contains(where: { isSetter(sites.site($0.backtrace).name, of: step) })
    else { return nil }
    return allocation
  }

  private func isSetter(_ name: ParsedFunctionName?, of step: LeakStep) -> Bool {
    if case .accessor(let property, sets: true) = name?.role { return property == step.ownProperty }
    return false
  }

  /// Whether the object's own initializer took the reference, while that of the holder had called what creates it: a
  /// tree's node sets itself as the parent of its children, not as a child of its parent.
  private func isFromWithin(_ row: HistoryRow, _ lifetime: ObjectLifetime, _ holder: LeakStep) -> Bool {
    guard row.event.kind != .allocate, let allocation = lifetime.history.allocation, let born = birth(of: holder),
      born < allocation.event.sequence
    else { return false }
    return sites.isInitializing(row.backtrace, allocation.backtrace, of: lifetime.id.shortClassName)
  }

  private func birth(of step: LeakStep) -> UInt64? {
    step.object.flatMap { lifetimes[$0]?.history.allocation?.event.sequence }
  }

  /// Whether the code read the reference in such a property.
  private func isCopy(_ row: HistoryRow, of step: LeakStep) -> Bool {
    guard case .copied(let offset)? = sites.referenceMove(row.backtrace) else { return false }
    return step.place?.offsets.contains(offset) == true
  }

  private func score(_ row: HistoryRow, _ lifetime: ObjectLifetime, _ step: LeakStep, _ holder: LeakStep?) -> Int {
    // A closure retains what it captures.
    if step.kind == .closure { return row.event.kind == .allocate ? 0 : 2 }
    guard let holder else { return 1 }
    if isReader(row, for: holder) { return 0 }
    let name = row.event.kind == .allocate ? maker(row, lifetime)?.name : sites.site(row.backtrace).name
    if isSetter(name, of: step) { return 4 }
    if isFromWithin(row, lifetime, holder) { return 1 }
    // What a method read in such a property it passes on: it stored it in another object's, if at all.
    if isCopy(row, of: step) { return 1 }
    let holderName = holder.shortClassName.withoutTypeArguments
    return name?.typeName?.withoutTypeArguments == holderName ? name?.role == .initializer ? 3 : 2 : 1
  }
}
