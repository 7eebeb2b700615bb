import LifelineReporting

/// The line printed every second if there is no terminal.
public struct LiveSummaryLine: Sendable {
  private var before: Int?

  public init() {}

  /// "12 s  live 1234 (+12)  …": growth since the previous line, and the three classes with the most live objects.
  public mutating func text(_ snapshot: LiveSnapshot) -> String {
    let total = snapshot.total
    let growth = total.live - (before ?? 0)
    before = total.live
    let rates = snapshot.rates.total
    let sample = snapshot.sample > 1 ? "of a sample, one object in \(snapshot.sample):  " : ""
    var line = "\(LiveText.duration(snapshot.elapsed))  \(sample)live \(total.live) (\(growth < 0 ? "" : "+")\(growth))"
    line += "  allocated \(total.allocated)  deinits \(total.ended)  findings \(snapshot.findingCount)"
    if snapshot.rates.isKnown { line += "  allocations/s \(Int(rates.allocations))  retains/s \(Int(rates.retains))" }
    let most = snapshot.rows.filter { $0.live > 0 }.sorted { ($1.live, $0.name) < ($0.live, $1.name) }.prefix(3)
    if !most.isEmpty {
      line +=
        "  most: " + most.map { "\($0.live) \(String($0.name.unicodeScalars.prefix(60)).safe)" }.joined(separator: ", ")
    }
    return line + "\n"
  }
}
