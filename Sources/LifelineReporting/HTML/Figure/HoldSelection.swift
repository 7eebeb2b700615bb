/// The holds of an object that a figure draws, by holder; for a long life the most informative ones.
///
/// A life may have thousands of holds, most of them very short; transient activities and owners matter most. So
/// transient holds come before others, and long holds before short ones.
struct HoldSelection {
  struct Lane {
    let name: String
    let isTransient: Bool
    fileprivate(set) var holds: [Report.Hold]
    /// The longest hold; open ones count as the longest of all.
    fileprivate var weight: UInt64
  }

  /// In the order in which their first holds begin.
  let lanes: [Lane]
  /// Holds that are not drawn.
  let omitted: Int

  init(_ holds: [Report.Hold]) {
    var lanes: [Lane] = []
    var index: [String: Int] = [:]
    for hold in holds {
      let name = Self.name(hold)
      let weight = hold.isOpen ? .max : hold.duration
      if let lane = index[name] {
        lanes[lane].holds.append(hold)
        lanes[lane].weight = max(lanes[lane].weight, weight)
      } else {
        index[name] = lanes.count
        lanes.append(Lane(name: name, isTransient: hold.isTransient, holds: [hold], weight: weight))
      }
    }
    let ranked = lanes.indices.sorted { left, right in
      let (a, b) = (lanes[left], lanes[right])
      if a.isTransient != b.isTransient { return a.isTransient }
      return a.weight == b.weight ? left < right : a.weight > b.weight
    }
    let kept = ranked.prefix(HTMLFormat.Limits.lanes).sorted()
    self.lanes = kept.map { Self.shortened(lanes[$0]) }
    omitted = holds.count - self.lanes.reduce(0) { $0 + $1.holds.count }
  }

  /// The longest holds of a lane, in order.
  private static func shortened(_ lane: Lane) -> Lane {
    guard lane.holds.count > HTMLFormat.Limits.holdsOfLane else { return lane }
    var result = lane
    let ranked = lane.holds.indices.sorted { left, right in
      let (a, b) = (lane.holds[left], lane.holds[right])
      return a.duration == b.duration ? left < right : a.duration > b.duration
    }
    result.holds = ranked.prefix(HTMLFormat.Limits.holdsOfLane).sorted().map { lane.holds[$0] }
    return result
  }

  /// "NotificationCenter.post(…) (transient, rule notification-post)".
  static func name(_ hold: Report.Hold) -> String {
    hold.rule.isEmpty ? hold.holder : "\(hold.holder) (\(hold.isTransient ? "transient" : "owner"), rule \(hold.rule))"
  }
}
