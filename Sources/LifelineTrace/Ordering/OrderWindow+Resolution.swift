extension OrderWindow {
  /// Assumed disagreement between the clocks of two cores, in ticks: small at first, finally unlimited.
  private static let clockErrors: [UInt64] = [0, 1 << 8, 1 << 12, 1 << 16, .max]

  /// Dead ends allowed per window, so that a trace with wrong counts does not take forever. Each window with many of
  /// them halves the limit, because the next one is likely to be similar.
  private static let backtrackLimit = 2_000_000
  private static let mostShifts = 9

  /// A search that is made if those before it found no order.
  private struct Effort {
    /// Dead ends allowed per record.
    let deadEnds: Int
    let jumps: Bool
  }

  /// For few threads. Where one was interrupted between a count and its time, a wrong choice may show only hundreds of
  /// events later.
  private static let efforts = [Effort(deadEnds: 4, jumps: false), Effort(deadEnds: 100, jumps: false)]

  /// For many threads, whose events have so many orders that only jumps find the wrong choice.
  private static let jumpingEfforts = [
    Effort(deadEnds: 1, jumps: false), Effort(deadEnds: 4, jumps: true), Effort(deadEnds: 20, jumps: true),
  ]
  private static let fewThreads = 8

  /// Reorders the events of each object whose count contradicts the clocks so that it does not, if possible; returns
  /// whether anything was moved.
  func resolve(overlap: Int) -> Bool {
    var isMoved = false
    unresolved = 0
    clockError = 0
    deadEnds = 0
    backtrackLimit = Self.backtrackLimit >> min(failures, Self.mostShifts)
    for index in 0..<objectCount where objects[index].isBroken && objects[index].isShared {
      let events = events(of: index)
      let breaks = breaks(events.prefix { Int($0) < horizon(overlap) }, of: index)
      guard breaks > 0 else { continue }
      let chain = chain(events, starts: [objects[index].start], overlap: overlap, breaks: breaks) { _ in 0 }
      objects[index].isUnresolved = chain.map { $0.breaks > 0 } ?? true
      unresolved += chain?.breaks ?? breaks
      guard let chain else { continue }
      isMoved = true
      follow(chain.order.map { events[$0] })
    }
    return isMoved
  }

  /// The same for all shared objects at once: orders that are possible for each of them may contradict each other.
  func resolveTogether(overlap: Int) {
    var starts: [Int32] = []
    var events: [Int32] = []
    for index in 0..<count where records[index].owner >= 0 {
      let object = objects + Int(records[index].owner)
      guard object.pointee.isShared, !object.pointee.isUnresolved else { continue }
      if object.pointee.number < 0 {
        object.pointee.number = Int32(starts.count)
        starts.append(start(of: Int(records[index].owner)))
      }
      events.append(Int32(index))
    }
    let number = { (owner: Int32) in Int(self.objects[Int(owner)].number) }
    guard let chain = chain(events, starts: starts, overlap: overlap, breaks: .max, object: number) else { return }
    follow(chain.order.map { events[$0] })
  }

  /// The best chain of some records with fewer breaks, using the smallest clock error.
  private func chain(_ events: [Int32], starts: [Int32], overlap: Int, breaks: Int, object: (Int32) -> Int)
    -> Linearization?
  {
    let horizon = horizon(overlap)
    var laneCount: Int32 = 0
    let links = events.map { event in
      let record = records + Int(event)
      let stream = Int(record.pointee.stream)
      if lanes[stream] < 0 {
        lanes[stream] = laneCount
        laneCount += 1
      }
      return LinearizationSearch.Link(
        step: record.pointee.step, object: object(record.pointee.owner), lane: Int(lanes[stream]),
        earliest: record.pointee.earliest, latest: record.pointee.latest,
        mayWait: Int(event) >= horizon || record.pointee.latest > lastKnownTime)
    }
    for event in events { lanes[Int(records[Int(event)].stream)] = -1 }
    var best: Linearization?
    var clockErrors = Self.clockErrors.filter { $0 >= clockError }
    for effort in laneCount <= Self.fewThreads ? Self.efforts : Self.jumpingEfforts {
      var exhausted: [(error: UInt64, breaks: Int)] = []
      var last: (chain: Linearization, used: Int)?
      for error in clockErrors where best?.breaks != 0 && backtrackLimit > 0 {
        let limit = min(backtrackLimit, effort.deadEnds * (256 + links.count))
        if let last, last.chain.nextError == nil { break }
        // With an error that rules out the same, the search meets the same dead ends.
        let known = last.flatMap { ($0.chain.nextError ?? 0) > error ? ($0.chain, min(limit, $0.used)) : nil }
        let (chain, used) = known ?? Self.search(links, from: starts, error, limit, jumps: effort.jumps)
        last = (chain, used)
        backtrackLimit -= used
        deadEnds += used
        if used == limit { exhausted.append((error, chain.breaks)) }
        if chain.breaks < best?.breaks ?? breaks {
          best = chain
          // An unlimited clock error means the clocks decide nothing: what one object needed does not apply to the
          // others.
          if chain.breaks == 0, error != .max { clockError = error }
        }
      }
      clockErrors = exhausted.map(\.error)
      // The clock errors mostly differ little; the search that left the fewest breaks is the most promising.
      if effort.jumps, let promising = exhausted.min(by: { $0.breaks < $1.breaks }) { clockErrors = [promising.error] }
    }
    return best
  }

  /// A chain, and the number of dead ends it took.
  private static func search(
    _ links: [LinearizationSearch.Link], from starts: [Int32], _ clockError: UInt64, _ limit: Int, jumps: Bool
  ) -> (Linearization, Int) {
    var search = LinearizationSearch(
      links, from: starts, clockError: clockError, backtrackLimit: limit, jumps: jumps)
    let chain = search.run()
    return (chain, limit - max(0, chain.deadEndsLeft))
  }

  /// Makes each record come after the one before it of the same object.
  private func follow(_ events: [Int32]) {
    for event in events { objects[Int(records[Int(event)].owner)].last = -1 }
    for event in events {
      let owner = Int(records[Int(event)].owner)
      let before = objects[owner].last
      let isOther = before >= 0 && records[Int(before)].stream != records[Int(event)].stream
      records[Int(event)].predecessor = isOther ? before : -1
      records[Int(event)].previous = before
      objects[owner].last = event
    }
  }

  /// The count before the first event of an object whose own order is known. Where that is an allocation, the memory
  /// was free.
  private func start(of object: Int) -> Int32 {
    guard objects[object].start == CountStep.unknown, let first = events(of: object).first,
      records[Int(first)].step.before == CountStep.freed
    else { return objects[object].start }
    return CountStep.freed
  }

  /// The records of an object in order.
  private func events(of object: Int) -> [Int32] {
    var result: [Int32] = []
    var event = objects[object].last
    while event >= 0 {
      result.append(event)
      event = records[Int(event)].previous
    }
    return result.reversed()
  }

  /// Records of one object that do not follow from the previous one.
  private func breaks(_ events: ArraySlice<Int32>, of object: Int) -> Int {
    var count = objects[object].start
    var breaks = 0
    for event in events {
      if !records[Int(event)].step.follows(count) { breaks += 1 }
      count = records[Int(event)].step.result(count)
    }
    return breaks
  }

  /// Decided records of shared objects that do not follow from the previous one of their object.
  func breaksDecided() -> Int {
    var breaks = 0
    for index in 0..<objectCount { objects[index].state = objects[index].start }
    for place in 0..<decided {
      let record = records + Int(order[place])
      guard record.pointee.owner >= 0 else { continue }
      let object = objects + Int(record.pointee.owner)
      if object.pointee.isShared, !record.pointee.step.follows(object.pointee.state) { breaks += 1 }
      object.pointee.state = record.pointee.step.result(object.pointee.state)
    }
    return breaks
  }

  /// More records are examined than returned, because a wrong choice only shows in later counts.
  private func horizon(_ overlap: Int) -> Int { inside - overlap / 4 }
}
