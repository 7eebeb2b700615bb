extension OrderWindow {
  /// Lets the last events of shared objects wait whose thread's next time is not known yet. Whether there are any.
  func keepWaiting() -> Bool {
    var isAny = false
    for index in 0..<count { records[index].waits = false }
    for index in 0..<objectCount where objects[index].isShared {
      var event = objects[index].last
      while event >= 0, !records[Int(event)].isTimed, records[Int(event)].latest > lastKnownTime,
        records[Int(event)].stream == records[Int(objects[index].last)].stream
      {
        records[Int(event)].waits = true
        isAny = true
        event = records[Int(event)].previous
      }
    }
    return isAny
  }

  /// Leaves the order of the clocks.
  func keepOrder() -> Int {
    for index in 0..<count { order[index] = Int32(index) }
    return inside
  }

  /// Merges the streams again so that every record comes after its predecessor, otherwise by the clocks; gives the
  /// number of records that could be placed. The others follow in the order of the clocks.
  func arrange() -> Int {
    for index in 0..<count { records[index].isPlaced = false }
    var queue = StreamQueue()
    var placed = 0
    var blocked: [Int32: [Int32]] = [:]
    var waiting: [Int32] = []
    var peeked: Set<Int32> = []
    func enter(_ event: Int32) {
      queue.insert(StreamQueue.Entry(clock: UInt64(event), stream: Int(records[Int(event)].stream)))
    }
    for first in firsts { enter(first) }
    while placed < count {
      guard let entry = queue.removeFirst() else {
        if blocked.isEmpty { break }
        if waiting.isEmpty {
          // Orders of several objects that contradict each other: one of them was a guess.
          let (predecessor, event) = blocked.flatMap { pair in pair.value.map { (pair.key, $0) } }.min { $0.1 < $1.1 }!
          blocked[predecessor]!.removeAll { $0 == event }
          if blocked[predecessor]!.isEmpty { blocked[predecessor] = nil }
          records[Int(event)].predecessor = -1
          enter(event)
        }
        for event in waiting {
          records[Int(event)].waits = false
          enter(event)
        }
        waiting = []
        continue
      }
      let event = Int32(truncatingIfNeeded: entry.clock)
      let record = records + Int(event)
      let predecessor = record.pointee.predecessor
      if record.pointee.waits {
        waiting.append(event)
      } else if predecessor >= 0, !records[Int(predecessor)].isPlaced {
        blocked[predecessor, default: []].append(event)
        if peeked.remove(predecessor) != nil { enter(predecessor) }
      } else if record.pointee.isPeeked, blocked[event] == nil {
        peeked.insert(event)
      } else {
        order[placed] = event
        placed += 1
        record.pointee.isPlaced = true
        if record.pointee.successor >= 0 { enter(record.pointee.successor) }
        if let others = blocked.removeValue(forKey: event) { others.forEach(enter) }
      }
    }
    var place = placed
    for index in 0..<count where !records[index].isPlaced {
      order[place] = Int32(index)
      place += 1
    }
    return placed
  }
}
