/// Orders the events of several threads so that each finds the count that the previous one left.
///
/// Each thread's own events stay in order. Of several events that the count admits, the one with the earliest latest
/// possible time comes first; the search backtracks (depth first, never retrying a failed state) when the rest does not
/// fit. If no order fits all events, because some are missing, the longest prefix that does is kept, the next event in
/// the order of the clocks follows as a break, and the search continues from there.
struct LinearizationSearch {
  struct Link {
    let step: CountStep
    /// Index of the object among those whose counts are looked at.
    let object: Int
    /// Index of the thread's stream among those of the objects.
    let lane: Int
    /// The earliest time at which it can have happened, a reading of the event clock.
    let earliest: UInt64
    /// The latest time at which it can have happened, a reading of the event clock.
    let latest: UInt64
    /// It need not fit: it, or what it follows, may come after all known events.
    var mayWait = false
  }

  private let links: [Link]
  private let clockError: UInt64
  /// The next link of each lane, and of each link the one after it in its lane; -1 for none.
  private var heads: [Int]
  private var next: [Int]
  /// Lanes whose next link has to be placed.
  private var busy = 0
  private var counts: [Int32]
  /// Remaining dead ends; then the search takes the first choice it finds.
  private(set) var backtrackLimit: Int

  /// Indices of the links in their order: first those that had to be placed, then those that wait.
  private(set) var order: [Int] = []
  /// Events that do not follow from the one before.
  private(set) var breaks = 0

  /// `links` are in the order of the clocks; `counts` are those of the objects before the first one. No event is placed
  /// before one that, by the clocks, was over more than `clockError` ticks earlier. After `backtrackLimit` dead ends
  /// the search takes the first choice it finds.
  init(_ links: [Link], from counts: [Int32], clockError: UInt64, backtrackLimit: Int) {
    self.clockError = clockError
    self.backtrackLimit = backtrackLimit
    self.links = links
    self.counts = counts
    heads = Array(repeating: -1, count: (links.lazy.map(\.lane).max() ?? -1) + 1)
    next = Array(repeating: -1, count: links.count)
    for index in links.indices.reversed() {
      next[index] = heads[links[index].lane]
      heads[links[index].lane] = index
    }
    countBusy()
    order.reserveCapacity(links.count)
    while !search(), let first = heads.lazy.filter({ $0 >= 0 }).min() {
      breaks += 1
      order.append(first)
      apply(first)
    }
    var rest: [Int] = []
    for var index in heads {
      while index >= 0 {
        rest.append(index)
        index = next[index]
      }
    }
    order += rest.sorted { isEarlier($0, $1) }
  }

  private mutating func countBusy() { busy = heads.count { isBusy($0) } }

  private func isBusy(_ head: Int) -> Bool { head >= 0 && !links[head].mayWait }

  private mutating func apply(_ index: Int) {
    counts[links[index].object] = links[index].step.result(counts[links[index].object])
    move(links[index].lane, to: next[index])
  }

  private mutating func move(_ lane: Int, to head: Int) {
    if isBusy(heads[lane]) { busy -= 1 }
    if isBusy(head) { busy += 1 }
    heads[lane] = head
  }

  /// The event to try with these counts: of those that fit the earliest one that is later than `tried`.
  private func candidate(after tried: Int?, _ key: UInt64, _ failed: Set<UInt64>) -> Int? {
    var best: Int?
    var end = UInt64.max
    if clockError < .max {
      for index in heads where index >= 0 { end = min(end, links[index].latest) }
      end = end > .max - clockError ? .max : end + clockError
    }
    for lane in heads.indices {
      let index = heads[lane]
      guard index >= 0, links[index].step.follows(counts[links[index].object]), links[index].earliest <= end else {
        continue
      }
      if let tried, !isEarlier(tried, index) { continue }
      if let known = best, isEarlier(known, index) { continue }
      if failed.contains(key &+ Self.weight(lane)) { continue }
      best = index
    }
    return best
  }

  private func isEarlier(_ a: Int, _ b: Int) -> Bool { (links[a].latest, a) < (links[b].latest, b) }

  /// The state of the search is how far each thread has come; it is known by a sum of these.
  private static func weight(_ lane: Int) -> UInt64 {
    var value = (UInt64(lane) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    return value ^ value >> 27 | 1
  }

  private var isDone: Bool { busy == 0 }

  /// Appends the longest run that fits to the order; whether it is all of it.
  private mutating func search() -> Bool {
    let start = (heads: heads, counts: counts)
    var path: [Int] = []
    var before: [Int32] = []
    var best: [Int] = []
    var failed: Set<UInt64> = []
    var key: UInt64 = 0
    var tried: Int?
    while !isDone {
      if let index = candidate(after: tried, key, failed) {
        path.append(index)
        before.append(counts[links[index].object])
        apply(index)
        key &+= Self.weight(links[index].lane)
        tried = nil
        continue
      }
      failed.insert(key)
      if best.isEmpty || path.count > best.count + 64 { best = path }
      backtrackLimit -= 1
      guard let last = path.popLast(), backtrackLimit > 0 else {
        (heads, counts) = start
        countBusy()
        best.forEach { apply($0) }
        order += best
        return false
      }
      counts[links[last].object] = before.removeLast()
      move(links[last].lane, to: last)
      key &-= Self.weight(links[last].lane)
      tried = last
    }
    order += path
    return true
  }
}
