extension TextFormat {
  private static let entryLimit = 20

  /// The gate's results for the run, if there are any.
  func gate(_ report: Report) -> [String] {
    var lines: [String] = []
    func section(_ title: String, _ entries: [String]) {
      guard !entries.isEmpty else { return }
      lines += ["", style.bold(title)] + entries.prefix(Self.entryLimit).map { "  \($0)" }
      if entries.count > Self.entryLimit {
        lines.append("  and \(Quantity.number(entries.count - Self.entryLimit)) more; --format json lists all")
      }
    }
    section("Known from the baseline", report.findings.filter(\.isKnown).map(line))
    section(
      "Suppressed", report.findings.filter(\.isSuppressed).map { "\(line($0)) (\(($0.outcome?.reason ?? "").safe))" })
    guard let gate = report.gate else { return lines }
    if !gate.contracts.isEmpty { lines += ["", style.bold("Contracts")] + gate.contracts.map { "  \(contract($0))" } }
    section("Fixed since the baseline", gate.fixed.map(\.safe))
    section("Suppressions that matched nothing", gate.unusedSuppressions.map(\.safe))
    return lines
  }

  private func line(_ finding: Report.Finding) -> String {
    let place = finding.primaryFrame?.statedLocation.map { ", \($0)" } ?? ""
    return "\(finding.kind.safe)   \(finding.title.safe)\(place.safe)  \(style.dim(finding.fingerprint.safe))"
  }

  private func contract(_ contract: Report.Contract) -> String {
    let result =
      switch contract.result {
      case "kept": style.green("kept   ")
      case "broken": style.red("broken ")
      default: style.yellow("unknown")
      }
    return "\(result)  \(contract.text.safe): \(contract.sentence.safe)"
  }
}
