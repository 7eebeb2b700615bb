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
    if leak.cause != .cycle, let story = stories[object] { leak.unbalanced = open(story) }
  }

  /// The references that nothing balanced.
  ///
  /// Where that is the allocation's own, and the function that allocated the object released it, that release gave back
  /// the allocation's reference: what it was paired with stays.
  private func open(_ story: ObjectLifetime) -> [HistoryRow] {
    let rows = story.history.rows
    var open = story.pairing.unpairedRetains
    guard let birth = open.firstIndex(where: { rows[$0].event.kind == .allocate }) else { return open.map { rows[$0] } }
    let allocator = sites.allocator(rows[open[birth]].backtrace, of: story.id.shortClassName)
    let kept = story.pairing.pairs.filter {
      rows[$0.retain].event.kind != .allocate && sites.site(rows[$0.release].backtrace).function?.function == allocator
    }
    if !allocator.isEmpty, let pair = kept.max(by: { $0.release < $1.release }) { open[birth] = pair.retain }
    return open.map { rows[$0] }
  }

  private func store(_ story: ObjectLifetime, step: LeakStep, holder: LeakStep?, without used: Set<UInt64>)
    -> HistoryRow?
  {
    let rows = open(story).filter { !used.contains($0.event.sequence) }
    // Of equals the newest: what came first was mostly handed on.
    return rows.enumerated().max { a, b in
      (score(a.element, step, holder), a.offset) < (score(b.element, step, holder), b.offset)
    }?.element
  }

  private func score(_ row: HistoryRow, _ step: LeakStep, _ holder: LeakStep?) -> Int {
    let site = sites.site(row.backtrace)
    let isBirth = row.event.kind == .allocate
    if step.kind == .closure { return isBirth ? 0 : 2 }
    guard let holder else { return isBirth ? 0 : 1 }
    if case .accessor(let property, sets: true) = site.name?.role, property == step.property { return 4 }
    let holderName = holder.shortClassName.withoutTypeArguments
    if site.name?.typeName?.withoutTypeArguments == holderName { return site.name?.role == .initializer ? 3 : 2 }
    return isBirth ? 0 : 1
  }
}
