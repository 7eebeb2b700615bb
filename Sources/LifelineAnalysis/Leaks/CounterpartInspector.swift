import LifelineLifetimes
import LifelineTrace

/// Finds what released a reference like the leaked one in objects that were freed.
///
/// Equal references can change places, so which release balanced a retain is a guess. It is made only if little else
/// can be true: for a property, the release is by a method of the holder's class, by the property's accessor, or by a
/// method of the class whose method took the reference; the leaked object has no release at that place; and none of the
/// freed object's references ended in a deinit or with what had captured it, since that may have been the one.
struct CounterpartInspector {
  let lifetimes: [ObjectID: ObjectLifetime]
  let sites: CallSiteTable
  let classes: ClassTable
  let selector: CounterpartSelector

  private struct Place: Hashable {
    let function: String
    let line: Int?
  }

  /// Adds the first counterpart found: for a cycle to the step whose reference is to be removed, if possible.
  func complete(_ leak: inout Leak, of object: ObjectID) {
    guard leak.cause == .cycle else {
      if leak.cause == .unbalanced, leak.unbalanced.count == 1, leak.alternatives.isEmpty {
        leak.counterpart = counterpart(of: leak.unbalanced[0], object, holder: nil)
      }
      return
    }
    let steps = leak.steps.indices.dropLast()
    for index in steps.filter({ leak.steps[$0].isCut }) + steps.filter({ !leak.steps[$0].isCut }) {
      guard let store = leak.steps[index].store, let target = leak.steps[index + 1].object,
        let holder = leak.steps[...index].last(where: { $0.kind == .object }),
        // Where an object was made does not show who held it; a closure is given away where it is created.
        store.event.kind != .allocate || leak.steps[index + 1].kind == .closure,
        let found = counterpart(of: store, target, holder: holder)
      else { continue }
      leak.steps[index].counterpart = found
      return
    }
  }

  private func counterpart(of store: HistoryRow, _ object: ObjectID, holder: LeakStep?) -> Counterpart? {
    guard let taken = place(store, of: object), let leaked = lifetimes[object] else { return nil }
    let taker = sites.site(store.backtrace).name?.typeName.map { [$0.withoutTypeArguments] } ?? []
    let owners = holder.map { Set(classes.shortLineage($0.className).map(\.withoutTypeArguments) + taker) }
    let ends = Set(leaked.history.rows.filter { $0.event.strongChange < 0 }.compactMap { place($0, of: object) })
    for other in selector.counterparts(of: object) {
      guard let freed = lifetimes[other], let found = release(freed, of: taken),
        let end = place(found.release, of: other),
        !ends.contains(end), end.function != taken.function, isGivenUp(found.release, by: owners)
      else { continue }
      return found
    }
    return nil
  }

  /// What released the reference that was taken at a place.
  private func release(_ lifetime: ObjectLifetime, of taken: Place) -> Counterpart? {
    guard lifetime.isComplete else { return nil }
    let rows = lifetime.history.rows
    let pairs = lifetime.pairing.pairs.filter { !sites.isMomentary(rows[$0.retain], rows[$0.release]) }
    let own = pairs.filter { place(rows[$0.retain], of: lifetime.id) == taken }
    guard own.count == 1, pairs.allSatisfy({ isDecision(rows[$0.release]) }) else { return nil }
    let release = rows[own[0].release]
    let end = place(release, of: lifetime.id)
    return Counterpart(
      object: lifetime.id, release: release,
      isSure: pairs.allSatisfy { place(rows[$0.release], of: lifetime.id) == end })
  }

  /// Whether the program's code gave a reference up: not a deinit, which ends with its object, nor a library.
  private func isDecision(_ row: HistoryRow) -> Bool {
    let site = sites.site(row.backtrace)
    return site.function != nil && site.rule == nil && site.role == nil && site.name?.role != .deinitializer
  }

  /// Whether a method of one of the classes, or a property's accessor, made a release; nil for any function.
  private func isGivenUp(_ row: HistoryRow, by owners: Set<String>?) -> Bool {
    guard let owners else { return true }
    return sites.site(row.backtrace).name?.typeName.map { owners.contains($0.withoutTypeArguments) } ?? false
  }

  /// A setter's place is that of the code that runs it.
  private func place(_ row: HistoryRow, of object: ObjectID) -> Place? {
    let frame =
      row.event.kind == .allocate
      ? sites.allocating(row.backtrace, of: object.shortClassName)?.frame
      : sites.firstOwn(row.backtrace) { if case .accessor(_, sets: true) = $0.role { true } else { false } }?.frame
    return frame.map { Place(function: $0.function, line: $0.line) }
  }
}
