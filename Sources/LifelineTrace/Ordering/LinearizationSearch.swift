/// Orders the events of several threads so that each finds the count that the previous one left.
///
/// Each thread's own events stay in order. Of several events that the count admits, the one with the earliest latest
/// possible time comes first; the search backtracks (depth first, never retrying a failed state) when the rest does not
/// fit. If no order fits all events, because some are missing, the longest prefix that does is kept, the next event in
/// the order of the clocks follows as a break, and the search continues from there.
///
/// Where many threads use many objects, nearly all choices before a dead end have nothing to do with it. A search that
/// jumps goes back to the last event of an object whose count stopped a thread, and tries only events of such objects
/// there (conflict-directed backjumping, Prosser 1993). It may miss an order, because an event of another object can
/// let a thread pass.
///
/// Its tables are plain memory, because a search makes millions of steps.
struct LinearizationSearch: ~Copyable {
  struct Link {
    let step: CountStep
    /// Index of the object among those being examined.
    let object: Int
    /// Index of the thread's stream among those of the objects.
    let lane: Int
    /// The earliest time at which it can have happened, on the event clock.
    let earliest: UInt64
    /// The latest time at which it can have happened, on the event clock.
    let latest: UInt64
    /// Whether it need not fit, because it, or its predecessor, may come after all known events.
    var mayWait = false
  }

  /// A link that was placed, and what to know when it is taken back.
  private struct Step {
    let link: Int
    /// The object's count before it.
    let before: Int32
    /// The objects that stopped the attempts with other links in its place.
    let stopped: ObjectSet?
  }

  private let links: UnsafeMutableBufferPointer<Link>
  private let clockError: UInt64
  private let jumps: Bool
  /// The next link of each in its lane, -1 for none.
  private let next: UnsafeMutableBufferPointer<Int>
  /// The next link of each lane that has one, earliest first, because mostly the first one is taken.
  private let heads: UnsafeMutableBufferPointer<Int>
  private var headCount = 0
  /// Lanes whose next link must be placed.
  private var busy = 0
  private let counts: UnsafeMutableBufferPointer<Int32>
  /// Remaining dead ends; after these the search takes the first choice it finds.
  private var backtrackLimit: Int
  /// The smallest clock error with which something else could have come next.
  private var nextError: UInt64?
  private var order: [Int] = []

  /// `links` are in clock order; `counts` are those of the objects before the first link. No event is placed before one
  /// that, by the clocks, was over more than `clockError` ticks earlier. After `backtrackLimit` dead ends the search
  /// takes the first choice it finds.
  init(_ links: [Link], from counts: [Int32], clockError: UInt64, backtrackLimit: Int, jumps: Bool) {
    self.clockError = clockError
    self.jumps = jumps
    self.backtrackLimit = backtrackLimit
    self.links = .allocate(capacity: links.count)
    _ = self.links.initialize(from: links)
    self.counts = .allocate(capacity: counts.count)
    _ = self.counts.initialize(from: counts)
    var firsts = Array(repeating: -1, count: (links.lazy.map(\.lane).max() ?? -1) + 1)
    next = .allocate(capacity: links.count)
    for index in links.indices.reversed() {
      next.initializeElement(at: index, to: firsts[links[index].lane])
      firsts[links[index].lane] = index
    }
    heads = .allocate(capacity: firsts.count)
    setHeads(firsts.sorted { isEarlier($0, $1) })
  }

  deinit {
    links.deallocate()
    next.deallocate()
    heads.deallocate()
    counts.deallocate()
  }

  /// Finds an order. Call it once.
  mutating func run() -> Linearization {
    order.reserveCapacity(links.count)
    var breaks = 0
    while !search(), let first = heads[..<headCount].min() {
      breaks += 1
      order.append(first)
      apply(first, at: place(of: first))
    }
    var rest: [Int] = []
    for var index in heads[..<headCount] {
      while index >= 0 {
        rest.append(index)
        index = next[index]
      }
    }
    order += rest.sorted { isEarlier($0, $1) }
    return Linearization(order: order, breaks: breaks, deadEndsLeft: backtrackLimit, nextError: nextError)
  }

  private mutating func setHeads(_ list: [Int]) {
    _ = heads.initialize(from: list)
    headCount = list.count
    busy = list.count { !links[$0].mayWait }
  }

  /// Places the next link of a lane, which is at a place among the heads.
  private mutating func apply(_ index: Int, at place: Int) {
    counts[links[index].object] = links[index].step.result(counts[links[index].object])
    if !links[index].mayWait { busy -= 1 }
    let following = next[index]
    guard following >= 0 else {
      headCount -= 1
      for later in place..<headCount { heads[later] = heads[later + 1] }
      return
    }
    if !links[following].mayWait { busy += 1 }
    put(following, at: place)
  }

  /// Undoes the placement of the last link, which becomes the next one of its lane again.
  private mutating func takeBack(_ index: Int) {
    if !links[index].mayWait { busy += 1 }
    let following = next[index]
    guard following >= 0 else {
      headCount += 1
      put(index, at: headCount - 1)
      return
    }
    if !links[following].mayWait { busy -= 1 }
    put(index, at: place(of: following))
  }

  /// Replaces a link by another, and moves that to its position.
  private func put(_ index: Int, at old: Int) {
    var place = old
    while place + 1 < headCount, isEarlier(heads[place + 1], index) {
      heads[place] = heads[place + 1]
      place += 1
    }
    while place > 0, isEarlier(index, heads[place - 1]) {
      heads[place] = heads[place - 1]
      place -= 1
    }
    heads[place] = index
  }

  /// The position of a link among the heads.
  private func place(of index: Int) -> Int {
    var (low, high) = (0, headCount)
    while low < high {
      let middle = (low + high) / 2
      if isEarlier(heads[middle], index) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The place among the heads of the event to try with these counts: the earliest fitting one that is later than
  /// `tried`, of one of the objects.
  private mutating func candidate(after tried: Int?, of objects: ObjectSet?, _ key: UInt64, _ failed: StateSet) -> Int?
  {
    let over = over
    for place in 0..<headCount {
      let index = heads[place]
      guard links[index].step.follows(counts[links[index].object]) else { continue }
      if isTooEarly(index, over) { continue }
      if let tried, !isEarlier(tried, index) { continue }
      if let objects, !objects.contains(links[index].object) { continue }
      if !failed.isEmpty, failed.contains(key &+ Self.weight(links[index].lane)) { continue }
      return place
    }
    return nil
  }

  /// The objects of the events that could be next by the clocks.
  private mutating func objectsOfHeads() -> ObjectSet {
    var objects = ObjectSet(below: counts.count)
    let over = over
    for index in heads[..<headCount] where !isTooEarly(index, over) { objects.insert(links[index].object) }
    return objects
  }

  /// The time by which the first of the next events was over, if the clocks agree.
  private var over: UInt64 { headCount > 0 ? links[heads[0]].latest : .max }

  /// Whether, by the clocks, an event cannot come before one that was over at a time.
  @inline(__always)
  private mutating func isTooEarly(_ index: Int, _ over: UInt64) -> Bool {
    let earliest = links[index].earliest
    guard earliest > over, earliest - over > clockError else { return false }
    nextError = min(nextError ?? .max, earliest - over)
    return true
  }

  private func isEarlier(_ a: Int, _ b: Int) -> Bool {
    let (first, second) = (links[a].latest, links[b].latest)
    return first < second || first == second && a < b
  }

  /// The state of the search is the progress of each thread, identified by a sum of these.
  private static func weight(_ lane: Int) -> UInt64 {
    var value = (UInt64(lane) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    return value ^ value >> 27 | 1
  }

  private var isDone: Bool { busy == 0 }

  /// Appends the longest run that fits to the order; returns whether it is complete.
  private mutating func search() -> Bool {
    let start = (heads: Array(heads[..<headCount]), counts: Array(counts))
    var path: [Step] = []
    var best: [Int] = []
    var failed = StateSet()
    var key: UInt64 = 0
    var tried: Int?
    // The objects that stopped every attempt after the path so far, if there was one.
    var stopped: ObjectSet?
    while !isDone {
      if let place = candidate(after: tried, of: tried == nil ? nil : stopped, key, failed) {
        let index = heads[place]
        path.append(Step(link: index, before: counts[links[index].object], stopped: stopped))
        apply(index, at: place)
        key &+= Self.weight(links[index].lane)
        (tried, stopped) = (nil, nil)
        continue
      }
      failed.insert(key)
      if best.isEmpty || path.count > best.count + 64 { best = path.map(\.link) }
      backtrackLimit -= 1
      if jumps { stopped = objectsOfHeads().union(stopped) }
      tried = nil
      while tried == nil, backtrackLimit > 0, let step = path.popLast() {
        let object = links[step.link].object
        counts[object] = step.before
        takeBack(step.link)
        key &-= Self.weight(links[step.link].lane)
        if stopped?.contains(object) ?? true { tried = step.link }
        if jumps { stopped = stopped?.union(step.stopped) }
      }
      guard tried != nil else {
        setHeads(start.heads)
        _ = counts.update(from: start.counts)
        for index in best { apply(index, at: place(of: index)) }
        order += best
        return false
      }
    }
    order += path.map(\.link)
    return true
  }
}
