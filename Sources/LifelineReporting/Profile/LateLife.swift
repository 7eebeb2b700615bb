import LifelineAnalysis
import LifelineTrace

/// An object that outlived its last owner, and where it was allocated.
public struct LateLife: Sendable {
  public let className: String
  public let allocation: [BacktraceEntry]
}

extension LateLife {
  /// Those of a diagnosis, with a consequence or without: of the lives that were looked at.
  public static func all(_ diagnosis: Diagnosis) -> [LateLife] {
    (diagnosis.findings.filter { $0.kind == .lateDeallocation } + diagnosis.late).compactMap { finding in
      guard let row = finding.story?.history.rows.first, row.event.kind == .allocate else { return nil }
      return LateLife(className: finding.object.className, allocation: diagnosis.backtraces.entries(row.backtrace))
    }
  }
}
