import LifelineLifetimes

extension HeapGraph {
  /// An object that keeps another one alive, and what lies between them.
  struct Holder {
    let address: UInt64
    let property: String
    /// Closures, boxes and storage on the way, the holder's side first.
    let between: [UInt64]
  }

  /// The objects that keep one alive, in order of allocation. O(live objects) for the first call.
  func holders(of address: UInt64) -> [Holder] {
    var holders: [Holder] = []
    for object in objects.values.sorted(by: { $0.allocationSequence < $1.allocationSequence })
    where isObject(object.address) {
      var seen: Set<String> = []
      for edge in edges(from: object.address) {
        guard let between = way(from: edge.target, to: address), seen.insert(edge.property).inserted else { continue }
        holders.append(Holder(address: object.address, property: edge.property, between: between))
      }
    }
    return holders
  }

  /// The things on the way from a reference's target to an object: none when it is the object itself, nil when the way
  /// leads through another object or nowhere.
  func way(from start: UInt64, to goal: UInt64) -> [UInt64]? {
    if start == goal { return [] }
    if isObject(start) { return nil }
    var before: [UInt64: UInt64] = [start: 0]
    var queue = [start], next = 0
    while next < queue.count, queue.count < 100_000 {
      let here = queue[next]
      next += 1
      for edge in edges(from: here) {
        if edge.target == goal {
          var way = [here]
          while let previous = before[way[0]], previous != 0 { way.insert(previous, at: 0) }
          return way
        }
        if before[edge.target] == nil, !isObject(edge.target) {
          before[edge.target] = here
          queue.append(edge.target)
        }
      }
    }
    return nil
  }

  /// The shortest way from an object back to itself, nil when nothing it keeps alive keeps it.
  func cycle(through address: UInt64) -> [(address: UInt64, property: String)]? {
    var before: [UInt64: (address: UInt64, property: String)] = [:]
    var queue = [address], next = 0
    while next < queue.count, queue.count < 1_000_000 {
      let here = queue[next]
      next += 1
      for edge in edges(from: here) {
        if edge.target == address {
          var steps = [(address: here, property: edge.property)]
          while steps[0].address != address, let step = before[steps[0].address] { steps.insert(step, at: 0) }
          return steps
        }
        if before[edge.target] == nil {
          before[edge.target] = (here, edge.property)
          queue.append(edge.target)
        }
      }
    }
    return nil
  }

  /// Everything that an object keeps alive, itself left out.
  func reachable(from address: UInt64) -> Set<UInt64> {
    var seen: Set<UInt64> = []
    var queue = edges(from: address).map(\.target)
    while let here = queue.popLast() {
      guard seen.insert(here).inserted else { continue }
      queue += edges(from: here).map(\.target)
    }
    return seen
  }
}
