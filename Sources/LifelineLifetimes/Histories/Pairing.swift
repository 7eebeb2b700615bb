import LifelineTrace

/// Which release balanced which retain.
///
/// The code that retains is the code that releases, nearly always: a function keeps an object for as long as it
/// runs, a setter takes over from an initialiser. So each of these rules is tried on all releases before the next one:
/// 1. the same call of the same function (equal callers) retained, the newest first: sure;
/// 2. a call that is still running around the release retained and passed the reference on, or a call inside the
///    releasing one did and returned it: likely;
/// 3. the same function retained on the same thread, else on any: likely;
/// 4. a closure's context or block lets go of what was captured when it was made: likely;
/// 5. only one open retain is left, of those by the same image or of all: likely;
/// 6. the program's plain code gives up the reference that the allocation gave: likely.
/// What remains stays unpaired and visible. The allocation counts as the first retain. Of an object that is older than
/// the events which are kept only the first three rules are tried: others of its retains are not known.
public struct Pairing: Sendable {
  public enum Confidence: String, Sendable {
    case sure, likely
  }

  /// A retain (row index, number among its n) and the release that balanced it.
  public struct Pair: Sendable, Equatable {
    public let retain: Int
    public let release: Int
    public let confidence: Confidence
  }

  /// In the order of their releases.
  public let pairs: [Pair]
  /// Rows of retains that nothing balanced, once for each reference.
  public let unpairedRetains: [Int]
  public let unpairedReleases: [Int]
  /// Rows of releases that nothing was found for and that may have balanced retains from before the events that are
  /// kept.
  public let olderReleases: [Int]

  /// Pairs the rows of one object; `place` gives a row's place.
  ///
  /// O(rows) for what the first rule pairs; of the rest the newest 256 open retains are looked at for each release.
  public init(_ history: ObjectHistory, place: (HistoryRow) -> CallIdentity) {
    var matcher = PairMatcher()
    for (index, row) in history.rows.enumerated() {
      let change = row.event.strongChange
      if row.event.kind == .base { matcher.forget(references: row.event.count) }
      guard change != 0 else { continue }
      let here = place(row)
      // One retain_n of a million references says no more than one of a thousand.
      for _ in 0..<min(change.magnitude, 1024) {
        let reference = PairMatcher.Reference(
          row: index, place: here, thread: row.event.thread, isAllocation: row.event.kind == .allocate)
        if change > 0 { matcher.retain(reference) } else { matcher.release(reference) }
      }
    }
    matcher.pairTheRest()
    pairs = matcher.pairs.sorted { ($0.release, $1.retain) < ($1.release, $0.retain) }
    unpairedRetains = matcher.openRetains
    unpairedReleases = matcher.openReleases
    olderReleases = matcher.olderReleases
  }
}
