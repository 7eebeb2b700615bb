import LifelineReporting

/// Renders results as the table scenario × variant × expected × found, with details of each failure below.
public struct ResultTable {
  public init() {}

  public func render(_ results: [ScenarioResult]) -> String {
    var table = TextTable(header: ["scenario", "variant", "expected", "found", ""], rightAligned: [])
    var last = ""
    for result in results {
      table.add([
        result.scenario == last ? "" : result.scenario, result.variant.name, result.expected.joined(separator: ", "),
        result.found.joined(separator: ", "), result.failures.isEmpty ? "ok" : "NOT AS EXPECTED",
      ])
      last = result.scenario
    }
    let failed = results.filter { !$0.failures.isEmpty }
    var lines = table.lines
    for result in failed {
      lines += ["", "\(result.scenario) \(result.variant.name)"] + result.failures.map { "  \($0)" }
      if !result.output.isEmpty {
        lines += ["  It printed:"] + result.output.split(separator: "\n").suffix(20).map { "    \($0)" }
      }
      if let report = result.report { lines += TextFormat().render(report).split(separator: "\n").map { "  | \($0)" } }
    }
    let expected = results.count - failed.count
    lines += [
      "",
      results.count == 1
        ? "The variant was \(expected == 1 ? "" : "not ")as expected."
        : "\(expected) of \(results.count) variants were as expected.",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
