import LifelineLifetimes
import LifelineTrace

/// Determines whether a row listed after the final release must have come after it.
///
/// A thread's events without a time are somewhere between two times, and an interrupted thread reads the clock too
/// late. So the order proves something only if the counts do, or if the thread had a later time before the event: the
/// final release has a time, which was read when it was over.
struct ProofOfLateness {
  private let rows: [HistoryRow]

  init(_ history: ObjectHistory) { rows = history.rows }

  /// `row` and `final` are indices of the history's rows.
  func came(_ row: Int, after final: Int) -> Bool {
    let thread = rows[row].event.thread
    if rows[..<row].contains(where: { $0.event.thread == thread && $0.event.clock > rows[final].event.clock }) {
      return true
    }
    return !canPrecede(final, upTo: row) { $0 == thread }
      && !canPrecede(final, upTo: row) { $0 != rows[final].event.thread }
  }

  /// Whether some threads' changes after the final release, including a row's, also fit before it: together they change
  /// nothing, no other thread changes the count in between, and the count had that value before, too.
  private func canPrecede(_ final: Int, upTo row: Int, _ belongs: (UInt32) -> Bool) -> Bool {
    var height: Int64?
    var sum: Int64 = 0
    for index in rows.indices[(final + 1)...] where rows[index].event.strongChange != 0 {
      let event = rows[index].event
      guard belongs(event.thread) else {
        if let height, event.count >= 0, event.count != height { return false }
        continue
      }
      if height == nil { height = event.count - event.strongChange }
      sum += event.strongChange
      guard let height, event.count >= 0, event.count == height + sum else { return false }
      if index >= row, sum == 0 { return wasThere(height, before: final, belongs) }
    }
    return false
  }

  /// Whether the count was this high between those threads' last event and the final release.
  private func wasThere(_ height: Int64, before final: Int, _ belongs: (UInt32) -> Bool) -> Bool {
    let last = rows[..<final].lastIndex { $0.event.strongChange != 0 && belongs($0.event.thread) } ?? 0
    return rows[last..<final].contains { $0.event.count == height || $0.event.kind == .allocate && height == 1 }
  }
}
