import LifelineTrace

/// What the counts of one object's events prove about the order between its threads, and what they leave open.
///
/// Two neighboring runs of events, of different threads, each of which leaves the count unchanged, can be swapped
/// without any count being wrong: retain and release by one thread, retain and release by another. So can two events
/// that change the same count into the same count, if neither thread does anything in between. Their order is that of
/// the clocks. Swaps across more than 64 changes are not searched for.
public struct OrderProof: Sendable, Equatable {
  /// Two runs whose order the count does not determine; indices of their first and last rows.
  public struct Doubt: Sendable, Equatable {
    public let earlier: ClosedRange<Int>
    public let later: ClosedRange<Int>
  }

  /// Number of rows in which a run is searched for.
  private static let reach = 64

  /// Threads that changed the count.
  public let threads: Int
  /// In the order of the rows.
  public let doubts: [Doubt]

  /// Examines the rows of one object, in order; O(rows).
  public init(_ rows: [HistoryRow]) {
    let changes = rows.indices.filter { rows[$0].event.strongChange != 0 }
    func thread(_ place: Int) -> UInt32 { rows[changes[place]].event.thread }
    func change(_ place: Int) -> Int64 { rows[changes[place]].event.strongChange }
    threads = Set(changes.lazy.map { rows[$0].event.thread }).count
    var doubts = Self.equalChanges(changes.map { rows[$0] }).map {
      Doubt(earlier: changes[$0.0]...changes[$0.0], later: changes[$0.1]...changes[$0.1])
    }
    for place in changes.indices.dropFirst() where thread(place) != thread(place - 1) {
      let (own, other) = (thread(place), thread(place - 1))
      // One of the two runs is by a single thread, the other may be by several others.
      let after =
        Self.balance(place..<min(place + Self.reach, changes.count), change) { thread($0) == own }
        ?? Self.balance(place..<min(place + Self.reach, changes.count), change) { thread($0) != other }
      guard let after else { continue }
      let members = Set((place...after).map(thread))
      let before = Self.balance((max(0, place - Self.reach)..<place).reversed(), change) { place in
        members.count == 1 ? thread(place) != own : thread(place) == other
      }
      guard let before, rows[changes[before]].event.kind != .allocate else { continue }
      doubts.append(Doubt(earlier: changes[before]...changes[place - 1], later: changes[place]...changes[after]))
    }
    self.doubts = doubts.sorted {
      ($0.later.lowerBound, $0.earlier.lowerBound) < ($1.later.lowerBound, $1.earlier.lowerBound)
    }
  }

  /// Pairs of positions at which two threads change the same count into the same count, with neither doing anything in
  /// between.
  private static func equalChanges(_ rows: [HistoryRow]) -> [(Int, Int)] {
    var result: [(Int, Int)] = []
    for place in rows.indices where rows[place].event.kind != .allocate {
      var seen: Set<UInt32> = [rows[place].event.thread]
      var sum: Int64 = rows[place].event.strongChange
      for other in rows.indices[place...].dropFirst().prefix(Self.reach) {
        let event = rows[other].event
        if event.thread == rows[place].event.thread { break }
        if seen.insert(event.thread).inserted, sum == 0, event.strongChange == rows[place].event.strongChange {
          result.append((place, other))
          break
        }
        sum &+= event.strongChange
      }
    }
    return result
  }

  /// The first position at which the changes cancel out, before one that does not belong.
  private static func balance(_ places: some Sequence<Int>, _ change: (Int) -> Int64, _ belongs: (Int) -> Bool) -> Int?
  {
    var sum: Int64 = 0
    for place in places {
      guard belongs(place) else { return nil }
      sum &+= change(place)
      if sum == 0 { return place }
    }
    return nil
  }
}
