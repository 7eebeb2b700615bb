import LifelineTrace

/// Which release balanced which retain.
///
/// Nearly always, the code that retains is the code that releases: a function keeps an object while it runs, a setter
/// takes over from an initializer. So each of these rules is tried on all releases before the next one:
/// 1. the same call of the same function (equal callers, and nothing in between that shows that it returned) retained,
///    newest first, and last of all the releases of what was stored: sure, unless a closure's context that was
///    destroyed inside that call in between may have released that reference;
/// 2. a setter, a method or a deinit releases what it takes out of a property: the reference that a setter, a method or
///    an initializer put into the same property, or that its caller had passed to it: likely;
/// 3. a block's end releases what the block's copy took, and a framework what it kept: likely;
/// 4. `Unmanaged` releases what it retained: likely; its releases beyond that stay unpaired, if the object was used
///    after its end;
/// 5. a call that is still running around the release retained and passed the reference on, with no library in between,
///    or a call inside the releasing one retained and may have returned it, one of the same image rather than a
///    library's: likely;
/// 6. the same function retained on the same thread, otherwise on any: likely;
/// 7. another method of the same type retained and returned nothing, so that it must have stored it: likely;
/// 8. a closure's context releases what a call retained that returned nothing, so that its callers do not have it:
///    likely;
/// 9. a call inside the releasing one retained: likely;
/// 10. a closure's context or block releases any retain that is left: likely;
/// 11. only one open retain is left, of those by the same image or of all: likely;
/// 12. the program's plain code releases the allocation's reference: likely;
/// 13. only one call's open retains are left, and libraries have released as many: likely.
/// A closure's context that would be left with the reference of an allocation by other code is assigned one that the
/// code creating the closure took: equal references of one call can be swapped.
/// The rest stays unpaired and visible. The allocation counts as the first retain. For an object older than the kept
/// events only the first nine rules are tried, because its other retains are unknown.
public struct Pairing: Sendable {
  public enum Confidence: String, Sendable {
    case sure, likely
  }

  /// A retain (row index, number among its n) and the release that balanced it.
  public struct Pair: Sendable, Equatable {
    public let retain: Int
    public let release: Int
    public let confidence: Confidence
    /// Whether a closure's context, destroyed during the call that retained, may have released its reference instead.
    public let isDoubtful: Bool
    /// Whether another reference was in the same property of perhaps another object, which may have been the released
    /// one.
    public internal(set) var isOneOfSeveral = false

    public init(retain: Int, release: Int, confidence: Confidence, isDoubtful: Bool = false) {
      self.retain = retain
      self.release = release
      self.confidence = confidence
      self.isDoubtful = isDoubtful
    }
  }

  /// In the order of their releases.
  public private(set) var pairs: [Pair]
  /// Rows of retains without a balancing release, once for each reference.
  public private(set) var unpairedRetains: [Int]
  public let unpairedReleases: [Int]
  /// Rows of unmatched releases that may have balanced retains from before the kept events.
  public let olderReleases: [Int]

  /// Uses of an object that was released more often than it was retained.
  private static let uses: Set<EventKind> = [.useAfterFree, .overRelease, .unownedAfterDeinit]

  /// Pairs the rows of one object; `place` returns a row's place.
  ///
  /// O(rows) for what the first rule pairs; for the rest, the newest 256 open retains are examined for each release.
  public init(_ history: ObjectHistory, place: (HistoryRow) -> CallIdentity) {
    var matcher = PairMatcher(hasExcess: history.rows.contains { Self.uses.contains($0.event.kind) })
    for (index, row) in history.rows.enumerated() {
      let change = row.event.strongChange
      if row.event.kind == .base { matcher.forget(references: row.event.count) }
      guard change != 0 else { continue }
      let here = place(row)
      // A retain_n of a million references says no more than one of a thousand.
      for _ in 0..<min(change.magnitude, 1024) {
        let reference = PairMatcher.Reference(
          row: index, place: here, thread: row.event.thread, task: row.event.task,
          isAllocation: row.event.kind == .allocate, isWeakLoad: row.event.kind == .weakLoad)
        if change > 0 { matcher.retain(reference) } else { matcher.release(reference) }
      }
    }
    matcher.pairTheRest()
    var pairs = matcher.pairs
    Self.exchange(&pairs, history.rows, place)
    self.pairs = pairs.sorted { ($0.release, $1.retain) < ($1.release, $0.retain) }
    unpairedRetains = matcher.openRetains
    unpairedReleases = matcher.openReleases
    olderReleases = matcher.olderReleases
  }

  /// The same pairing with the retain at `row` left open: its release balances the one at `other`, often the
  /// allocation, instead.
  ///
  /// For what is known from elsewhere, since equal references of one call can be swapped. Nil if the retain has no
  /// release, or not that at `release`, or the other one has one.
  public func leavingOpen(_ row: Int, releasedAt release: Int? = nil, insteadOf other: Int) -> Pairing? {
    guard let index = pairs.firstIndex(where: { $0.retain == row && $0.release == release ?? $0.release }),
      let open = unpairedRetains.firstIndex(of: other)
    else { return nil }
    var pairing = self
    pairing.pairs[index] = Pair(retain: other, release: pairs[index].release, confidence: .likely)
    pairing.unpairedRetains[open] = row
    pairing.unpairedRetains.sort()
    return pairing
  }

  /// Assigns a closure the newest reference that a call took and plain code released, and assigns that code the
  /// allocation's.
  ///
  /// Of several calls the one with the last release counts, so that no holder appears to have released too early.
  private static func exchange(_ pairs: inout [Pair], _ rows: [HistoryRow], _ place: (HistoryRow) -> CallIdentity) {
    guard
      let index = pairs.firstIndex(where: {
        rows[$0.retain].event.kind == .allocate && place(rows[$0.release]).role == .captureEnd
      })
    else { return }
    let (birth, end) = (pairs[index].retain, pairs[index].release)
    let here = place(rows[birth])
    let makers = [here.key] + here.enclosing.prefix(1)
    /// Threads of a pool run one task after the other.
    func isInTurn(_ row: Int) -> Bool {
      rows[row].event.thread == rows[birth].event.thread && rows[row].event.task == rows[birth].event.task
    }
    func isTaken(_ row: Int) -> Bool {
      [.retain, .retainN].contains(rows[row].event.kind) && place(rows[row]).role == .plain
    }
    // The call that created the object may itself have given a reference to the closure.
    if pairs.contains(where: { isTaken($0.retain) && makers.contains(place(rows[$0.retain]).key) }) { return }
    /// Code that runs in an activity or on another thread may be the closure itself; functions called by its creator
    /// did not create it.
    func isCandidate(_ row: Int) -> Bool {
      let place = place(rows[row])
      return isTaken(row) && place.activities == here.activities && isInTurn(row)
        && !makers.contains(where: place.enclosing.contains)
    }
    /// Whether a method kept a reference that another one of its type released.
    func isKept(_ pair: Pair) -> Bool {
      let (taken, given) = (place(rows[pair.retain]), place(rows[pair.release]))
      return birth < pair.retain && pair.release < end && pair.confidence == .likely && !pair.isDoubtful
        && isTaken(pair.retain) && taken.reach == 0 && taken.typeName != nil && taken.typeName == given.typeName
        && given.role == .plain && taken.activities == here.activities && isInTurn(pair.retain)
    }
    let candidates = pairs.indices.filter { index in
      let pair = pairs[index]
      guard birth < pair.retain, pair.release < end, pair.confidence == .sure, isCandidate(pair.retain) else {
        return false
      }
      let release = place(rows[pair.release])
      return release.role == .plain && !release.ownsArguments
    }
    // The call that received the new object may have passed it to the closure. If none did, what a method kept is more
    // likely the closure's than its type's property, which may have had the object since it was created.
    let receivers = here.enclosing.prefix(here.reach)
    if !candidates.contains(where: { receivers.contains(place(rows[pairs[$0].retain]).key) }),
      let kept = pairs.indices.filter({ isKept(pairs[$0]) }).max(by: { pairs[$0].retain < pairs[$1].retain })
    {
      let (taken, given) = (pairs[kept].retain, pairs[kept].release)
      pairs[index] = Pair(retain: birth, release: given, confidence: .likely)
      pairs[kept] = Pair(retain: taken, release: end, confidence: .likely)
      return
    }
    guard let last = candidates.max(by: { pairs[$0].release < pairs[$1].release }) else { return }
    let call = place(rows[pairs[last].retain]).key
    let newest = candidates.filter { place(rows[pairs[$0].retain]).key == call }.max {
      pairs[$0].retain < pairs[$1].retain
    }!
    let (first, second) = (pairs[last], pairs[newest])
    pairs[index] = Pair(retain: birth, release: first.release, confidence: .likely)
    pairs[last] = Pair(retain: second.retain, release: end, confidence: .likely)
    if newest != last { pairs[newest] = Pair(retain: first.retain, release: second.release, confidence: .sure) }
  }
}
