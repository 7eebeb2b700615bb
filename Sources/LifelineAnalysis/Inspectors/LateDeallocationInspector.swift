import LifelineLifetimes
import LifelineTrace

/// Finds objects that outlived their last owner because a passing framework activity kept them.
struct LateDeallocationInspector {
  /// `harmful` are objects whose lateness led to an error: they sent a message to a freed object meanwhile.
  func finding(_ story: ObjectLifetime, isHarmful: Bool, similar: Int) -> Finding? {
    guard let late = story.lateDeallocation else { return nil }
    // Code that releases on one thread does not expect a deinit on another.
    let isElsewhere = late.finalRelease.map { $0.event.thread != late.ownerRelease.event.thread } ?? false
    var places = [
      Finding.Place(role: .lastOwnerRelease, event: late.ownerRelease.event, backtrace: late.ownerRelease.backtrace),
      Finding.Place(role: .hold, event: late.kept.retain.event, backtrace: late.kept.retain.backtrace),
    ]
    if let final = late.finalRelease { places.insert(Finding.Place(role: .finalRelease, event: final.event, backtrace: final.backtrace), at: 1) }
    var finding = Finding(
      kind: .lateDeallocation, severity: isHarmful || isElsewhere ? .warning : .note, object: story.id, access: nil,
      accessedAddress: 0,
      places: places)
    finding.story = story
    finding.similar = similar
    return finding
  }
}
