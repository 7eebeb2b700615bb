import LifelineReporting
import LifelineTrace

/// The text that Prometheus and its node exporter read, with a bounded number of series.
///
/// The first `limit` classes, those with the most live objects when they appeared, have their own series and keep them;
/// all others share one, "(other)". So no counter ever decreases.
public struct PrometheusText: Sendable {
  /// The start of every such text.
  public static let mark = "# HELP lifeline_live_objects "
  private static let other = "(other)"
  private let limit: Int
  private var chosen: Set<String> = []
  private var findings: [Series: Int] = [:]

  public init(limit: Int) { self.limit = limit }

  public mutating func text(_ snapshot: LiveSnapshot) -> String {
    for row in snapshot.rows.sorted(by: { ($1.live, $0.name) < ($0.live, $1.name) }) where chosen.count < limit {
      chosen.insert(Self.label(row.name))
    }
    var rows: [String: LiveRow] = [:]
    for row in snapshot.rows {
      let label = series(row.name)
      rows[label, default: LiveRow(name: label)].add(row)
    }
    var current: [Series: Int] = [:]
    for finding in snapshot.findings {
      current[Series(kind: Self.label(finding.kind), owner: series(finding.className)), default: 0] += 1
    }
    findings.merge(current) { max($0, $1) }
    let all = rows.values.sorted { $0.name < $1.name }
    let process = "process=\"\(snapshot.process)\",program=\"\(Self.label(Self.base(snapshot.program)))\""
    func metric(_ name: String, _ type: String, _ help: String, _ value: (LiveRow) -> Int) -> String {
      "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n"
        + all.map { "\(name){\(process),class=\"\($0.name)\"} \(value($0))\n" }.joined()
    }
    var text = metric("lifeline_live_objects", "gauge", "Objects whose deinit has not begun.", \.live)
    text += metric("lifeline_live_bytes", "gauge", "Bytes of the live objects.", \.bytes)
    text += metric("lifeline_allocations_total", "counter", "Objects allocated.", \.allocated)
    text += metric("lifeline_deinits_total", "counter", "Objects whose deinit has begun.", \.ended)
    text += metric("lifeline_retains_total", "counter", "Strong references added.", \.retains)
    text += "# HELP lifeline_findings_total Problems found so far.\n# TYPE lifeline_findings_total counter\n"
    for (key, count) in findings.sorted(by: { ($0.key.kind, $0.key.owner) < ($1.key.kind, $1.key.owner) }) {
      text += "lifeline_findings_total{\(process),kind=\"\(key.kind)\",class=\"\(key.owner)\"} \(count)\n"
    }
    text += "# HELP lifeline_sample_denominator One in this many objects is recorded and counted; 1 for all.\n"
    text += "# TYPE lifeline_sample_denominator gauge\n"
    text += "lifeline_sample_denominator{\(process)} \(snapshot.sample)\n"
    text += "# HELP lifeline_events_total Events read.\n# TYPE lifeline_events_total counter\n"
    text += "lifeline_events_total{\(process)} \(snapshot.events)\n"
    text += "# HELP lifeline_process_running 1 while the process runs.\n# TYPE lifeline_process_running gauge\n"
    return text + "lifeline_process_running{\(process)} \(snapshot.isRunning ? 1 : 0)\n"
  }

  private struct Series: Hashable {
    let kind: String
    let owner: String
  }

  private func series(_ name: String) -> String {
    let label = Self.label(name)
    return chosen.contains(label) ? label : Self.other
  }

  private static func base(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  /// A label's value: without control characters, escaped, and at most about 200 bytes; longer ones are distinguished
  /// by a checksum.
  static func label(_ text: String) -> String {
    var kept = text
    if text.utf8.count > 200 {
      let sum = FNV1a(text).value
      kept = String(String.UnicodeScalarView(text.unicodeScalars.prefix(160))) + "… " + String(sum, radix: 16)
    }
    // By scalars, because a quote with a combining accent is one character, but still a quote.
    return kept.safe.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "\\" || scalar == "\"" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
  }
}
