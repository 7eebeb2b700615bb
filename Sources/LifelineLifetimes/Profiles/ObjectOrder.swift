/// How a list of objects is sorted; of two equal ones the older comes first.
public enum ObjectOrder: String, Sendable, CaseIterable {
  /// Oldest first.
  case allocated
  /// Largest first.
  case size
  /// Longest life first; a live object is counted up to the end of the recording.
  case age
  /// Most retains first.
  case retains

  /// Whether one object comes before another, at the end of a recording.
  func areInOrder(_ first: ObjectSummary, _ second: ObjectSummary) -> Bool {
    let (a, b) = (key(first), key(second))
    return a == b ? first.allocation.sequence < second.allocation.sequence : a > b
  }

  /// Objects without an end have the greatest clock: among those the older lived longer.
  private func key(_ life: ObjectSummary) -> UInt64 {
    switch self {
    case .allocated: 0
    case .size: UInt64(life.size)
    case .age: (life.freed?.clock ?? .max / 2) &- life.allocation.clock
    case .retains: UInt64(life.retains)
    }
  }
}
