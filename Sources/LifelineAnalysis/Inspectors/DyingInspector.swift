import LifelineLifetimes
import LifelineTrace

/// Determines who reached an object between its final release and the end of its deinit.
struct DyingInspector {
  let sites: CallSiteTable
  let classes: ClassTable

  /// Frames by which a thread does something that another one waits for, which a deinit may have requested.
  private static let handOvers = ["_dispatch_sync", "_dispatch_async_and_wait"]

  /// The first retain by another thread that had no reference left; nil if there is none.
  ///
  /// An isolated deinit, or one that has another thread do something while it waits, retains the object on that thread
  /// itself. A count that does not follow proves that something is listed in the wrong order, so nothing after it
  /// proves that it came late; nor does a retain that may also have been before the final release.
  func intruder(_ history: ObjectHistory) -> HistoryRow? {
    guard let final = history.finalRelease else { return nil }
    let end = history.deallocation ?? history.free
    let rows = dying(history).prefix { !$0.isAfterGap }
    return rows.indices.first { index in
      let row = rows[index]
      return row.event.strongChange > 0 && row.event.thread != final.event.thread
        && row.event.thread != end?.event.thread
        && !isDeinit(row, of: history.id) && ProofOfLateness(history).came(index, after: rows.startIndex - 1)
    }.map { rows[$0] }
  }

  /// The retain by which the deinit's own code had let the object escape before another thread took it, perhaps to that
  /// thread: it kept a reference, or copied a block that had one. The block may be over before the deinit ends.
  func escape(_ history: ObjectHistory, _ holds: [Hold], before intruder: HistoryRow) -> HistoryRow? {
    if let kept = escape(history, holds), kept.event.sequence < intruder.event.sequence { return kept }
    return dying(history).last {
      $0.event.sequence < intruder.event.sequence && $0.event.thread == history.finalRelease?.event.thread
        && $0.event.strongChange > 0 && sites.site($0.backtrace).role == .blockCopy
    }
  }

  /// The retain by which the deinit's own code let the object escape: the one without a balancing release before the
  /// end. Of several that may be it, one that was stored.
  func escape(_ history: ObjectHistory, _ holds: [Hold]) -> HistoryRow? {
    guard let final = history.finalRelease else { return nil }
    var open: [HistoryRow] = []
    var taken: Set<UInt64> = []
    for row in dying(history) where row.event.thread == final.event.thread || isDeinit(row, of: history.id) {
      if row.event.strongChange > 0 {
        open.append(row)
        taken.insert(row.event.sequence)
      } else if row.event.strongChange < 0 {
        _ = open.popLast()
      }
    }
    if open.isEmpty { return nil }
    let end = history.deallocation?.event.sequence ?? .max
    let kept = holds.filter { taken.contains($0.retain.event.sequence) && $0.to.map { $0 > end } != false }
    return (kept.last(where: \.holder.isOwner) ?? kept.last)?.retain ?? open.last
  }

  private func dying(_ history: ObjectHistory) -> ArraySlice<HistoryRow> {
    guard let final = history.rows.firstIndex(where: \.isFinalRelease) else { return [] }
    let rows = history.rows[(final + 1)...]
    return rows.prefix { ![.deallocate, .free].contains($0.event.kind) }
  }

  /// Whether code of an object's class, its deinit's closures included, made an event.
  func isMember(_ row: HistoryRow, of id: ObjectID) -> Bool {
    sites.site(row.backtrace).name?.typeName.map(classes.shortLineage(id.className).contains) == true
  }

  /// Whether an object ended in a deinit of another one's class.
  func isEnd(of history: ObjectHistory, within whole: ObjectID) -> Bool {
    guard let end = history.finalRelease ?? history.deallocation ?? history.free else { return false }
    let names = classes.shortLineage(whole.className)
    return sites.facts(end.backtrace).joined().contains { facts in
      facts.name.role == .deinitializer && facts.name.typeName.map(names.contains) == true
    }
  }

  private func isDeinit(_ row: HistoryRow, of id: ObjectID) -> Bool {
    let names = classes.shortLineage(id.className)
    return sites.facts(row.backtrace).joined().contains { facts in
      if Self.handOvers.contains(where: facts.frame.function.hasPrefix) { return true }
      guard let typeName = facts.name.typeName, names.contains(typeName) else { return false }
      return facts.name.role == .deinitializer || facts.name.isClosure && facts.frame.function.contains("deinit")
    }
  }
}
