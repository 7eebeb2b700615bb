import LifelineTrace

/// Leaves repeated pairs of a retain and its release out of a history, so that an object that is retained a hundred
/// million times does not take gigabytes.
///
/// Only pairs go on which nothing depends: both in one call (equal thread, task, and backtraces outside of the two
/// sites), nothing happened to the object between them but such pairs, and the same pair was there before and nobody
/// has let go since. So each way of using the object that any set of owners saw is left, and every count that is left
/// is as it was recorded. One pass over the rows.
public enum LongHistory {
  /// Rows that a history of a finding's object may have before it is shortened.
  public static let rowLimit = 1 << 18
  /// Rows at the beginning and at the end that stay: more than a report shows.
  static let fringe = 1000

  private struct Pair: Hashable {
    let retain: BacktraceID
    let release: BacktraceID
  }

  static func shortened(_ rows: [HistoryRow], _ backtraces: BacktraceTable, fringe: Int = fringe) -> [HistoryRow] {
    guard rows.count > 2 * fringe else { return rows }
    var kept = Array(rows.prefix(fringe))
    /// Where retains stand after which only whole pairs have come.
    var open: [Int] = []
    var seen: Set<Pair> = []
    for row in rows[fringe..<(rows.count - fringe)] {
      if let start = open.last, balances(row, kept[start], backtraces) {
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
    return kept + rows.suffix(fringe)
  }

  private static func balances(_ release: HistoryRow, _ retain: HistoryRow, _ backtraces: BacktraceTable) -> Bool {
    release.event.kind == .release && release.event.strongChange == -retain.event.strongChange
      && release.event.thread == retain.event.thread && release.event.task == retain.event.task && isPlain(release)
      && backtraces.caller(of: release.backtrace) == backtraces.caller(of: retain.backtrace)
  }

  private static func isPlain(_ row: HistoryRow) -> Bool {
    !row.isFinalRelease && !row.isAfterGap && row.dying == nil && row.owner == nil && row.callStart == nil
  }
}
