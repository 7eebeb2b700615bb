import LifelineLifetimes
import LifelineTrace

/// Finds objects that outlived their last owner because a transient framework activity kept them.
struct LateDeallocationInspector {
  let classes: ClassTable

  /// A warning if the lateness did harm or moved the deinit to another executor, otherwise a note.
  func finding(_ lifetime: ObjectLifetime, _ consequences: [Consequence], similar: Int) -> Finding? {
    // A closure's context has no deinit and no methods; the captured objects show what matters.
    guard let late = lifetime.lateDeallocation, !classes.isContext(lifetime.id.className) else { return nil }
    let isSerious = consequences.contains {
      switch $0 {
      case .harm, .elsewhere: true
      case .nearMiss, .work: false
      }
    }
    let isBirth = late.kept.retain.event.kind == .allocate
    let rows: [(Finding.Role, HistoryRow?)] = [
      (.lastOwnerRelease, late.ownerRelease), (.finalRelease, late.finalRelease),
      (.hold, isBirth ? nil : late.kept.retain),
      (.allocation, lifetime.history.allocation),
    ]
    var finding = Finding(
      kind: .lateDeallocation, severity: isSerious ? .warning : .note, object: lifetime.id, access: nil,
      accessedAddress: 0,
      places: rows.compactMap { role, row in
        row.map { Finding.Place(role: role, event: $0.event, backtrace: $0.backtrace) }
      })
    finding.lifetime = lifetime
    finding.similar = similar
    finding.consequences = consequences
    return finding
  }
}
