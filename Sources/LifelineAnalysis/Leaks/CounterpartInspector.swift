import LifelineLifetimes
import LifelineTrace

/// Finds what released a reference like the leaked one in objects that were freed.
struct CounterpartInspector {
  let lifetimes: [ObjectID: ObjectLifetime]
  let sites: CallSiteTable
  let selector: CounterpartSelector

  private struct Place: Equatable {
    let function: String
    let line: Int?
  }

  /// Adds the first counterpart found: for a cycle to the step whose reference is to be removed, if possible.
  func complete(_ leak: inout Leak, of object: ObjectID) {
    guard leak.cause == .cycle else {
      if leak.cause == .unbalanced, leak.unbalanced.count == 1 {
        leak.counterpart = counterpart(of: leak.unbalanced[0], object)
      }
      return
    }
    let steps = leak.steps.indices.dropLast()
    for index in steps.filter({ leak.steps[$0].isCut }) + steps.filter({ !leak.steps[$0].isCut }) {
      guard let store = leak.steps[index].store, let target = leak.steps[index + 1].object,
        let found = counterpart(of: store, target)
      else { continue }
      leak.steps[index].counterpart = found
      return
    }
  }

  private func counterpart(of store: HistoryRow, _ object: ObjectID) -> Counterpart? {
    guard let place = place(store, of: object) else { return nil }
    return selector.counterparts(of: object).lazy.compactMap { lifetimes[$0] }.compactMap { release($0, of: place) }
      .first
  }

  /// What released the reference that was taken at a place.
  private func release(_ lifetime: ObjectLifetime, of taken: Place) -> Counterpart? {
    guard lifetime.isComplete else { return nil }
    let rows = lifetime.history.rows
    let pairs = lifetime.pairing.pairs.filter { !sites.isMomentary(rows[$0.retain], rows[$0.release]) }
    let own = pairs.filter { place(rows[$0.retain], of: lifetime.id) == taken }
    guard own.count == 1, let release = own.first.map({ rows[$0.release] }), isDecision(release) else { return nil }
    let end = place(release, of: lifetime.id)
    let others = pairs.filter { $0 != own[0] && isDecision(rows[$0.release]) }
    return Counterpart(
      object: lifetime.id, release: release,
      isSure: others.allSatisfy { place(rows[$0.release], of: lifetime.id) == end })
  }

  /// Whether the program's code gave the reference up: neither a deinit, which ends with its object, nor a library.
  private func isDecision(_ row: HistoryRow) -> Bool {
    let site = sites.site(row.backtrace)
    return site.function != nil && site.rule == nil && site.name?.role != .deinitializer
  }

  private func place(_ row: HistoryRow, of object: ObjectID) -> Place? {
    let frame =
      row.event.kind == .allocate
      ? sites.allocating(row.backtrace, of: object.shortClassName)?.frame : sites.site(row.backtrace).function
    return frame.map { Place(function: $0.function, line: $0.line) }
  }
}
