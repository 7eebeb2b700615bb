import LifelineLifetimes
import LifelineTrace

/// A test's uses of freed objects.
struct AccessReport {
  let texts: [String]

  init(_ scope: TestScope, in snapshot: Snapshot) {
    var seen: Set<ObjectID> = []
    texts = snapshot.tracker.accesses.compactMap { access in
      guard snapshot.isCaused(access.event.sequence, access.backtrace, by: scope), seen.insert(access.object).inserted
      else { return nil }
      let what =
        switch access.event.kind {
        case .overRelease: "was released more often than it was retained"
        case .resurrection: "escaped from its deinit"
        case .unownedAfterDeinit: "was read through an unowned reference after its deinit"
        default: "was used after it was freed"
        }
      var lines = ["\(access.object) \(what).", "  used at \(snapshot.place(access.backtrace))"]
      if let death = try? snapshot.deathPlace(of: access.object) {
        lines.append("  its last reference was released at \(death)")
      }
      return lines.joined(separator: "\n")
    }
  }
}
