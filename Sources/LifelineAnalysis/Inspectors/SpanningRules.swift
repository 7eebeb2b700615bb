import LifelineLifetimes

/// Which rows of a history are inside of an activity of scope `span`, determined once for all of its holds.
struct SpanningRules {
  private let rules: [Int: HoldRule]
  /// By row, the first one from there that is inside of such an activity; empty if none is.
  private var next: [Int] = []

  /// O(rows).
  init(_ rows: [HistoryRow], _ sites: CallSiteTable) {
    var rules: [Int: HoldRule] = [:]
    for (index, row) in rows.enumerated() { rules[index] = sites.spanningRule(row.backtrace) }
    self.rules = rules
    guard !rules.isEmpty else { return }
    next = Array(repeating: rows.count, count: rows.count + 1)
    for index in rows.indices.reversed() { next[index] = rules[index] == nil ? next[index + 1] : index }
  }

  /// The rule of the first such row that comes after one row and before another.
  func first(between row: Int, and end: Int) -> HoldRule? {
    guard !next.isEmpty, row + 1 < end, next[row + 1] < end else { return nil }
    return rules[next[row + 1]]
  }
}
