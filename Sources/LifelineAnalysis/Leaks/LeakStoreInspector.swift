import LifelineLifetimes
import LifelineTrace

/// Tells at which event each reference of a leak was stored: the retain or allocation that nothing balanced.
struct LeakStoreInspector {
  let stories: [ObjectID: ObjectLifetime]
  let sites: CallSiteTable

  /// Fills in the steps' stores, and the unbalanced references of an object that nothing refers to.
  func complete(_ leak: inout Leak, of object: ObjectID) {
    var used: Set<UInt64> = []
    for index in leak.steps.indices.dropLast() {
      if leak.steps[index].kind != .object {
        leak.steps[index].allocation = leak.steps[index].object.flatMap { stories[$0]?.history.allocation }
      }
      // A step in between that is no object passes the reference on: what it holds is stored with it.
      guard let target = leak.steps[index + 1].object, let story = stories[target] else { continue }
      let holder = leak.steps[...index].last { $0.kind == .object }
      guard let row = store(story, step: leak.steps[index], holder: holder, without: used) else { continue }
      used.insert(row.event.sequence)
      leak.steps[index].store = row
    }
    if leak.cause != .cycle, let story = stories[object] { leak.unbalanced = open(story).compactMap(\.last) }
  }

  /// The references that nothing balanced, each as the rows that it may be.
  ///
  /// Where one is the allocation's own, and the function that allocated the object released it, one of those releases
  /// gave back the allocation's reference: what it was paired with stays. Which of them it was is not known.
  private func open(_ story: ObjectLifetime) -> [[HistoryRow]] {
    let rows = story.history.rows
    let open = story.pairing.unpairedRetains
    guard let birth = open.firstIndex(where: { rows[$0].event.kind == .allocate }) else {
      return open.map { [rows[$0]] }
    }
    let allocator = sites.allocator(rows[open[birth]].backtrace, of: story.id.shortClassName)
    let kept = story.pairing.pairs.filter {
      rows[$0.retain].event.kind != .allocate && sites.site(rows[$0.release].backtrace).function?.function == allocator
    }
    let lasting = kept.filter { !isMomentary(rows[$0.retain], rows[$0.release]) }
    let candidates = (lasting.isEmpty ? kept : lasting).sorted { $0.release < $1.release }
    let instead = allocator.isEmpty ? [] : candidates.map { rows[$0.retain] }
    return open.indices.map { $0 == birth && !instead.isEmpty ? instead : [rows[open[$0]]] }
  }

  /// Whether a statement retained and released: it read a property, or called what does.
  private func isMomentary(_ retain: HistoryRow, _ release: HistoryRow) -> Bool {
    let first = sites.site(retain.backtrace).function, second = sites.site(release.backtrace).function
    return first?.line != nil && first?.line == second?.line && first?.function == second?.function
  }

  private func store(_ story: ObjectLifetime, step: LeakStep, holder: LeakStep?, without used: Set<UInt64>)
    -> HistoryRow?
  {
    let rows = open(story).filter { !$0.contains { used.contains($0.event.sequence) } }.compactMap { rows in
      rows.enumerated().max { a, b in
        (score(a.element, step, holder), a.offset) < (score(b.element, step, holder), b.offset)
      }?.element
    }
    // Of equals the newest: what came first was mostly handed on.
    let best = rows.enumerated().max { a, b in
      (score(a.element, step, holder), a.offset) < (score(b.element, step, holder), b.offset)
    }?.element
    // Who reads a property gives back what it retained: it is not known which retain is left.
    if let best, isReader(best) { return nil }
    // Nobody holds what was there before it: the allocation's reference was handed over, and where is not known.
    guard let best, best.event.kind == .allocate, let born = birth(of: step) ?? holder.flatMap(birth) else {
      return best
    }
    return born < best.event.sequence ? best : nil
  }

  private func isReader(_ row: HistoryRow) -> Bool {
    if case .accessor(_, sets: false) = sites.site(row.backtrace).name?.role { return true }
    return false
  }

  private func birth(of step: LeakStep) -> UInt64? {
    step.object.flatMap { stories[$0]?.history.allocation?.event.sequence }
  }

  private func score(_ row: HistoryRow, _ step: LeakStep, _ holder: LeakStep?) -> Int {
    let site = sites.site(row.backtrace)
    let isBirth = row.event.kind == .allocate
    if step.kind == .closure { return isBirth ? 0 : 2 }
    guard let holder else { return isBirth ? 0 : 1 }
    if isReader(row) { return 0 }
    // Of `state.parent` the accessor is that of `state`.
    let owned = step.property.map { String($0.prefix { $0 != "." }) }
    if case .accessor(let property, sets: true) = site.name?.role, property == owned { return 4 }
    let holderName = holder.shortClassName.withoutTypeArguments
    if site.name?.typeName?.withoutTypeArguments == holderName { return site.name?.role == .initializer ? 3 : 2 }
    return isBirth ? 0 : 1
  }
}
