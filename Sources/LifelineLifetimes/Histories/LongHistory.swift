import LifelineTrace

/// Shortens a history, so that an object that is retained a hundred million times does not take gigabytes.
///
/// These are omitted, the third only if the first two were not enough:
/// 1. Pairs of a retain and its release on which nothing depends: both in one call (equal thread, task, and backtraces
///    outside of the two sites), with only such pairs between them, after an equal pair since which no owner has
///    released the object. So each way of using the object under any set of owners is kept.
/// 2. Sequences of up to `longestRound` events that equal those right before them, including counts: an owner that
///    repeatedly retains in one call and releases in another.
/// 3. The middle, except for how the object ended and its first uses after that. Then it is unknown who took the
///    object in the middle, and the history says so.
///
/// Every remaining count is as recorded.
public enum LongHistory {
  /// Rows that a finding's object's history may have before it is shortened.
  public static let rowLimit = 1 << 18
  /// Rows that are kept at the beginning and at the end: more than a report shows.
  static let fringe = 1000
  /// Events of the longest sequence that is searched for.
  static let longestRound = 64

  private struct Pair: Hashable {
    let retain: BacktraceID
    let release: BacktraceID
  }

  /// `caller` returns a backtrace without its innermost site.
  static func shortened(
    _ rows: [HistoryRow], caller: (BacktraceID) -> BacktraceID, fringe: Int = fringe
  ) -> [HistoryRow] {
    guard rows.count > 2 * fringe else { return rows }
    var kept = Array(rows.prefix(fringe))
    /// Positions of retains after which only whole pairs have followed.
    var open: [Int] = []
    var seen: Set<Pair> = []
    for row in rows[fringe..<(rows.count - fringe)] {
      if let start = open.last, balances(row, kept[start], caller) {
        open.removeLast()
        let isNew = seen.insert(Pair(retain: kept[start].backtrace, release: row.backtrace)).inserted
        if !isNew, start == kept.count - 1 {
          kept.removeLast()
          continue
        }
      } else if row.event.kind == .retain, isPlain(row) {
        open.append(kept.count)
      } else {
        open.removeAll()
        if row.event.strongChange < 0 { seen.removeAll() }
      }
      kept.append(row)
    }
    return withoutRepeatedRounds(kept, from: fringe) + rows.suffix(fringe)
  }

  private static func withoutRepeatedRounds(_ rows: [HistoryRow], from start: Int) -> [HistoryRow] {
    var kept = Array(rows.prefix(start))
    for row in rows[start...] {
      kept.append(row)
      let last = kept.count - 1
      // A round may only begin where its last event was seen before.
      guard let before = (max(start, last - longestRound)..<last).last(where: { isSame(kept[$0], row) }) else {
        continue
      }
      let length = last - before
      guard before - length + 1 >= start else { continue }
      if (1..<length).allSatisfy({ isSame(kept[before - $0], kept[last - $0]) }) { kept.removeLast(length) }
    }
    return kept
  }

  private static func isSame(_ a: HistoryRow, _ b: HistoryRow) -> Bool {
    a.backtrace == b.backtrace && a.event.count == b.event.count && a.event.kind == b.event.kind
      && a.event.thread == b.event.thread && a.event.task == b.event.task
      && a.event.strongChange == b.event.strongChange && isPlain(a) && isPlain(b)
      // Other contents of an event, such as who refers to the object, may differ.
      && (a.event.strongChange != 0 || a.event.argument0 == b.event.argument0)
  }

  /// The beginning and the end of a history that is still too long, with an event in between that has the count after
  /// the middle; nil if it is short enough.
  static func withoutMiddle(_ rows: [HistoryRow], rowLimit: Int) -> [HistoryRow]? {
    let end = rows.count - rowLimit
    guard end > fringe, rowLimit > 0 else { return nil }
    var event = rows[end - 1].event
    event.kind = .base
    let ends = rows[fringe..<end].lazy.filter {
      $0.isFinalRelease || $0.event.kind == .deallocate || $0.event.kind == .free || $0.event.kind.isCaught
    }
    return rows[..<fringe] + ends.prefix(fringe) + [HistoryRow(event: event, backtrace: .empty)] + rows[end...]
  }

  private static func balances(
    _ release: HistoryRow, _ retain: HistoryRow, _ caller: (BacktraceID) -> BacktraceID
  ) -> Bool {
    release.event.kind == .release && release.event.strongChange == -retain.event.strongChange
      && release.event.thread == retain.event.thread && release.event.task == retain.event.task && isPlain(release)
      && caller(release.backtrace) == caller(retain.backtrace)
  }

  private static func isPlain(_ row: HistoryRow) -> Bool {
    !row.isFinalRelease && !row.isAfterGap && row.dying == nil && row.owner == nil && row.callStart == nil
  }
}
