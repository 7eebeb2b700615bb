import LifelineLifetimes

/// What a piece of code leaked, one text for each object that keeps the others alive.
struct LeakReport {
  let texts: [String]

  /// At most this many are listed; the rest are counted.
  private static let limit = 5

  /// `where` is "in this test": where the objects were allocated.
  init(_ leaked: [TrackedObject], in snapshot: Snapshot, allowances: [LeakAllowance], where place: String) {
    let wrong = leaked.filter { object in !allowances.contains { $0.covers(object, in: snapshot) } }
    let addresses = Set(wrong.map(\.address))
    var kept: [UInt64: Set<UInt64>] = [:]
    for object in wrong {
      kept[object.address] = snapshot.heap.reachable(from: object.address).intersection(addresses)
    }
    // A kept object is not listed with its keeper, unless each keeps the other; then the oldest one is listed.
    var heads: [TrackedObject] = []
    for object in wrong {
      let isKept = wrong.contains { other in
        guard other.address != object.address, kept[other.address]!.contains(object.address) else { return false }
        return !kept[object.address]!.contains(other.address) || other.allocationSequence < object.allocationSequence
      }
      if !isKept { heads.append(object) }
    }
    var texts = heads.prefix(Self.limit).map { head -> String in
      var lines = ["\(snapshot.tracker.id(of: head)) was allocated \(place) and is still alive."]
      lines += Explanation(snapshot: snapshot, address: head.address).lines().map { "  \($0)" }
      let others = wrong.filter { kept[head.address]!.contains($0.address) && $0.address != head.address }
      if !others.isEmpty {
        let names =
          others.prefix(4).map { "\(snapshot.tracker.id(of: $0))" }
          + (others.count > 4 ? ["\(others.count - 4) more"] : [])
        lines.append("  it keeps alive: \(names.joined(separator: ", "))")
      }
      return lines.joined(separator: "\n")
    }
    if heads.count > Self.limit {
      texts.append("\(heads.count - Self.limit) more objects were allocated \(place) and are still alive.")
    }
    self.texts = texts
  }
}
