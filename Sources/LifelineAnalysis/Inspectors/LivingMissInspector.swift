import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Finds near misses of objects that are live at the end: their owners have released them, and only closures that wait
/// or run, or tasks, still have them.
///
/// No release shows who holds such an object, but the heap does: each of its references is a capture. A closure
/// created, or a block copied, before the last owner's release has held the object ever since. So has a task whose
/// frame has the object, if nothing else in the program can have had it meanwhile.
struct LivingMissInspector {
  private struct Keepers {
    /// When the youngest closure that is not a block was created; nil if there is none.
    let since: Moment?
    let blocks: Int
    let hasFrames: Bool
  }

  private var keepers: [ObjectID: Keepers] = [:]

  /// Maximum number of histories read.
  private static let limit = 64

  var objects: Set<ObjectID> { Set(keepers.keys) }

  init(_ heap: HeapSnapshot?, _ tracker: LifetimeTracker, _ classes: ClassTable) {
    guard let heap, heap.refusal == nil else { return }
    // Computed once per class, since there may be millions of objects.
    let isReferredTo = tracker.classes.map { $0.liveAtExit > 0 && classes.isReferredTo($0.name) }
    guard isReferredTo.contains(true) else { return }
    let graph = heap.graph
    var nodes: [Int: ObjectID] = [:]
    let live = tracker.liveObjects
    for object in live where isReferredTo[Int(object.classIndex)] {
      guard let node = graph.node(at: object.address) else { continue }
      nodes[node] = tracker.id(of: object)
      if nodes.count == Self.limit { break }
    }
    if nodes.isEmpty { return }
    let found = ClosureKeepers(of: Set(nodes.keys), in: heap)
    let kept = nodes.compactMap { node, id in found.keepers(of: node).map { (id, $0) } }
    if kept.isEmpty { return }
    let made = Dictionary(
      live.map { ($0.address, Moment(sequence: $0.allocationSequence, clock: $0.allocationClock)) },
      uniquingKeysWith: { first, _ in first })
    for (id, captures) in kept {
      let ages = captures.contexts.compactMap { made[graph.addresses[$0]] }
      guard ages.count == captures.contexts.count else { continue }
      keepers[id] = Keepers(
        since: ages.max { $0.sequence < $1.sequence }, blocks: captures.blocks, hasFrames: captures.frames > 0)
    }
  }

  func findings(_ lifetimes: [ObjectLifetime], _ inspector: NearMissInspector) -> [Finding] {
    lifetimes.compactMap { lifetime in
      guard let kept = kept(lifetime, inspector), let late = kept.lateDeallocation,
        var finding = inspector.finding(kept, late)
      else { return nil }
      if keepers[lifetime.id]?.hasFrames == true, let task = inspector.sites.rule("task") {
        let hold = Hold(
          holder: .activity(task), confidence: .likely, balance: .open, retain: late.kept.retain, release: nil,
          activityStart: nil)
        finding.lifetime?.lateDeallocation = LateDeallocation(
          lastOwner: late.lastOwner, ownerRelease: late.ownerRelease, kept: hold, finalRelease: nil, until: late.until)
      }
      return finding
    }
  }

  /// The lifetime according to the heap: kept by closures since the last owner's release.
  private func kept(_ lifetime: ObjectLifetime, _ inspector: NearMissInspector) -> ObjectLifetime? {
    let history = lifetime.history
    guard let keepers = keepers[lifetime.id], lifetime.isComplete, case .never = lifetime.timing,
      let end = history.rows.last
    else { return nil }
    let open = lifetime.holds.filter { $0.to == nil }
    let owners = lifetime.holds.filter { $0.holder.isOwner && $0.to != nil }
    guard let last = owners.max(by: { $0.to! < $1.to! }), last.confidence > .perhaps, last.holder.isStored,
      let release = last.release, (keepers.since?.sequence ?? 0) < release.event.sequence,
      open.allSatisfy({ $0.retain.event.sequence < release.event.sequence }),
      open.count(where: Self.isBlock) >= keepers.blocks,
      !keepers.hasFrames || isHeldByTask(open, last, release, lifetime.id, inspector),
      let retain = (open.first(where: Self.isBlock) ?? open.first)?.retain
    else { return nil }
    // References are equal: which of them the closure has is unknown, but not when it was created.
    let hold = Hold(
      holder: .closure, confidence: .likely, balance: .open, retain: retain, release: nil,
      activityStart: keepers.since)
    var kept = ObjectLifetime(
      history: history, pairing: lifetime.pairing, holds: lifetime.holds.filter { $0.to != nil }, intruder: nil)
    kept.lateDeallocation = LateDeallocation(
      lastOwner: last, ownerRelease: release, kept: hold, finalRelease: nil, until: end.event.sequence)
    return kept
  }

  /// Whether tasks must have had the open references since then: no other place in the program is declared to hold such
  /// an object, and each was taken by a part of an asynchronous function, for which it is a variable, or by a function
  /// that returned nothing and had ended by the last owner's release.
  private func isHeldByTask(
    _ open: [Hold], _ last: Hold, _ release: HistoryRow, _ id: ObjectID, _ inspector: NearMissInspector
  ) -> Bool {
    guard case .property(let owner, let property?, _) = last.holder,
      inspector.classes.isOnlyHolder(property, of: owner, for: id.className)
    else { return false }
    return open.allSatisfy { hold in
      let site = inspector.sites.site(hold.retain.backtrace)
      guard let function = site.function, !site.isUnmanaged, site.library == nil else { return false }
      if hold.retain.event.task != 0, let mangled = function.mangledName, AsynchronousPart(mangled).isAsynchronous {
        return true
      }
      func frames(_ row: HistoryRow) -> [FrameFacts] {
        inspector.sites.facts(row.backtrace).joined().filter { $0.frame.isSameFunction(as: function) }
      }
      return hold.retain.event.thread == release.event.thread && frames(hold.retain).contains(where: \.isResultless)
        && frames(release).isEmpty
    }
  }

  /// A block's copy that retained permanently.
  private static func isBlock(_ hold: Hold) -> Bool {
    if case .library(let function, _) = hold.holder { function == "_Block_copy" } else { hold.holder == .closure }
  }
}
