import LifelineHeap
import LifelineLifetimes
import LifelineTrace

/// Finds near misses of objects that are live at the end: their owners have released them, and only waiting or running
/// closures still have them.
///
/// No release shows who holds such an object, but the heap does: each of its references is a capture. A closure
/// created, or a block copied, before the last owner's release has held the object ever since.
struct LivingMissInspector {
  private struct Keepers {
    /// When the youngest closure that is not a block was created; nil if there is none.
    let since: Moment?
    let blocks: Int
  }

  private var keepers: [ObjectID: Keepers] = [:]

  /// Lives that are read.
  private static let limit = 64

  var objects: Set<ObjectID> { Set(keepers.keys) }

  init(_ heap: HeapSnapshot?, _ tracker: LifetimeTracker, _ classes: ClassTable) {
    guard let heap, heap.refusal == nil else { return }
    // Asked for each class, since there may be millions of objects.
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
      keepers[id] = Keepers(since: ages.max { $0.sequence < $1.sequence }, blocks: captures.blocks)
    }
  }

  func findings(_ lifetimes: [ObjectLifetime], _ inspector: NearMissInspector) -> [Finding] {
    lifetimes.compactMap { lifetime in
      kept(lifetime).flatMap { kept in kept.lateDeallocation.flatMap { inspector.finding(kept, $0) } }
    }
  }

  /// The lifetime as the heap shows it: kept by closures since the last owner's release.
  private func kept(_ lifetime: ObjectLifetime) -> ObjectLifetime? {
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
      let retain = (open.first(where: Self.isBlock) ?? open.first)?.retain
    else { return nil }
    // References are equal: which of them the closure has is not known, but when it was made.
    let hold = Hold(
      holder: .closure, confidence: .likely, balance: .open, retain: retain, release: nil,
      activityStart: keepers.since)
    var kept = ObjectLifetime(
      history: history, pairing: lifetime.pairing, holds: lifetime.holds.filter { $0.to != nil }, intruder: nil)
    kept.lateDeallocation = LateDeallocation(
      lastOwner: last, ownerRelease: release, kept: hold, finalRelease: nil, until: end.event.sequence)
    return kept
  }

  /// A block's copy retained for good.
  private static func isBlock(_ hold: Hold) -> Bool {
    if case .library(let function, _) = hold.holder { function == "_Block_copy" } else { hold.holder == .closure }
  }
}
