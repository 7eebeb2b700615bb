import LifelineLifetimes
import LifelineTrace

/// Finds objects that outlived their last owner because a passing framework activity kept them.
struct LateDeallocationInspector {
  let classes: ClassTable

  /// A warning where the lateness did harm or moved the deinit to another executor, a note otherwise.
  func finding(_ story: ObjectLifetime, _ consequences: [Consequence], similar: Int) -> Finding? {
    // A closure's context has no deinit and no methods; the objects that it captured tell what matters.
    guard let late = story.lateDeallocation, !classes.isContext(story.id.className) else { return nil }
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
      (.allocation, story.history.allocation),
    ]
    var finding = Finding(
      kind: .lateDeallocation, severity: isSerious ? .warning : .note, object: story.id, access: nil,
      accessedAddress: 0,
      places: rows.compactMap { role, row in
        row.map { Finding.Place(role: role, event: $0.event, backtrace: $0.backtrace) }
      })
    finding.story = story
    finding.similar = similar
    finding.consequences = consequences
    return finding
  }
}
