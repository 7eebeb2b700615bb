extension OrderWindow {
  /// Lets the last events of shared objects wait if their thread's next time is unknown; returns whether there are any.
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

  /// Keeps the clock order.
  func keepOrder() -> Int {
    for index in 0..<count { order[index] = Int32(index) }
    return inside
  }

  /// Merges the streams again so that every record comes after its predecessor, otherwise by the clocks; returns the
  /// number of records that could be placed. The others follow in clock order.
  func arrange() -> Int {
    for index in 0..<count {
      records[index].isPlaced = false
      records[index].isBlocked = false
      records[index].isAside = false
      records[index].firstBlocked = -1
    }
    var queue = StreamQueue()
    var placed = 0
    var blocked = 0
    var firstBlocked = count
    var waiting: [Int32] = []
    for first in firsts { queue.insert(entry(first)) }
    // A thread's next event often comes before those of all others.
    var successor: StreamQueue.Entry?
    while placed < count {
      guard let next = successor.map({ queue.replaceFirst(with: $0) }) ?? queue.removeFirst() else {
        if blocked == 0 { break }
        if waiting.isEmpty, let event = giveUpPredecessor(from: &firstBlocked) {
          blocked -= 1
          queue.insert(entry(event))
        }
        for event in waiting {
          records[Int(event)].waits = false
          queue.insert(entry(event))
        }
        waiting = []
        continue
      }
      successor = nil
      let event = Int32(truncatingIfNeeded: next.clock)
      let record = records + Int(event)
      let predecessor = record.pointee.predecessor
      if record.pointee.waits {
        waiting.append(event)
      } else if predecessor >= 0, !records[Int(predecessor)].isPlaced {
        block(event, until: predecessor)
        firstBlocked = min(firstBlocked, Int(event))
        blocked += 1
        if records[Int(predecessor)].isAside {
          records[Int(predecessor)].isAside = false
          queue.insert(entry(predecessor))
        }
      } else if record.pointee.isPeeked, record.pointee.firstBlocked < 0 {
        record.pointee.isAside = true
      } else {
        order[placed] = event
        placed += 1
        record.pointee.isPlaced = true
        if record.pointee.successor >= 0 { successor = entry(record.pointee.successor) }
        var other = record.pointee.firstBlocked
        while other >= 0 {
          records[Int(other)].isBlocked = false
          blocked -= 1
          queue.insert(entry(other))
          other = records[Int(other)].nextBlocked
        }
      }
    }
    var place = placed
    for index in 0..<count where !records[index].isPlaced {
      order[place] = Int32(index)
      place += 1
    }
    return placed
  }

  private func entry(_ event: Int32) -> StreamQueue.Entry {
    StreamQueue.Entry(clock: UInt64(event), stream: Int(records[Int(event)].stream))
  }

  private func block(_ event: Int32, until predecessor: Int32) {
    records[Int(event)].isBlocked = true
    records[Int(event)].nextBlocked = records[Int(predecessor)].firstBlocked
    records[Int(predecessor)].firstBlocked = event
  }

  /// Orders of several objects contradict each other, so one of them was a guess: the earliest blocked record no longer
  /// waits. No record before `first` is blocked.
  private func giveUpPredecessor(from first: inout Int) -> Int32? {
    while first < count, !records[first].isBlocked { first += 1 }
    guard first < count else { return nil }
    let index = first
    let event = Int32(index)
    let predecessor = records + Int(records[index].predecessor)
    if predecessor.pointee.firstBlocked == event {
      predecessor.pointee.firstBlocked = records[index].nextBlocked
    } else {
      var other = Int(predecessor.pointee.firstBlocked)
      while records[other].nextBlocked != event { other = Int(records[other].nextBlocked) }
      records[other].nextBlocked = records[index].nextBlocked
    }
    records[index].isBlocked = false
    records[index].predecessor = -1
    return event
  }
}
