import LifelineLifetimes

/// Which rows of a history are inside of an activity of scope `span`, determined once for all of its holds.
struct SpanningRules {
  private struct Call {
    let rule: HoldRule
    /// The function that called the activity, and where.
    let caller: CodeFrame?
  }

  private let rows: [HistoryRow]
  private let sites: CallSiteTable
  private let calls: [Int: Call]
  /// By row, the first one from there that is inside of such an activity; empty if none is.
  private var next: [Int] = []

  /// O(rows).
  init(_ rows: [HistoryRow], _ sites: CallSiteTable) {
    self.rows = rows
    self.sites = sites
    var calls: [Int: Call] = [:]
    for (index, row) in rows.enumerated() {
      guard let rule = sites.spanningRule(row.backtrace) else { continue }
      calls[index] = Call(rule: rule, caller: sites.caller(of: rule, row.backtrace))
    }
    self.calls = calls
    guard !calls.isEmpty else { return }
    next = Array(repeating: rows.count, count: rows.count + 1)
    for index in rows.indices.reversed() { next[index] = calls[index] == nil ? next[index + 1] : index }
  }

  /// The rule of the activity for which a function took a reference at one row and released it at another: the first
  /// that ran in between, if its call is on the line that took the reference, as its argument is.
  func rule(from row: Int, to end: Int) -> HoldRule? {
    guard !next.isEmpty, row + 1 < end, next[row + 1] < end, calls[row] == nil, calls[end] == nil,
      let call = calls[next[row + 1]], let caller = call.caller, caller.line != nil,
      let taker = sites.taker(rows[row].backtrace), taker.isSameFunction(as: caller), taker.line == caller.line
    else { return nil }
    return call.rule
  }
}
