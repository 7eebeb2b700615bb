import LifelineAnalysis

/// Distinguishes lost references that would share a fingerprint: objects that one function allocated and several lost,
/// or for which tasks wait in several functions.
///
/// The first keeps the fingerprint that it has alone, and in a recording without retains; the others' also include the
/// function that took the reference or waits.
struct DistinctFingerprints {
  /// By fingerprint: the function that took the first finding's reference, or in which its task waits.
  private var takers: [String: String] = [:]

  /// The findings of one report, in its order.
  static func given(to findings: [Report.Finding]) -> [Report.Finding] {
    var fingerprints = Self()
    return findings.map { finding in
      var finding = finding
      finding.fingerprint = fingerprints.fingerprint(finding)
      return finding
    }
  }

  private mutating func fingerprint(_ finding: Report.Finding) -> String {
    guard finding.kind == Finding.Kind.leak.rawValue, let taker = taker(finding) else { return finding.fingerprint }
    guard let first = takers[finding.fingerprint] else {
      takers[finding.fingerprint] = taker
      return finding.fingerprint
    }
    return taker == first ? finding.fingerprint : Fingerprint([finding.fingerprint, taker]).text
  }

  private func taker(_ finding: Report.Finding) -> String? {
    if let task = finding.path.first, task.kind == "task" { return task.function }
    guard finding.path.count <= 1,
      let retain = finding.backtraces.first(where: { $0.role == Finding.Role.retain.rawValue })
    else { return nil }
    return Fingerprint.function(retain, className: finding.object.class)
  }
}
