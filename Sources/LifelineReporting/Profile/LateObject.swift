import LifelineAnalysis
import LifelineTrace

/// An object that outlived its last owner, and where it was allocated.
public struct LateObject: Sendable {
  public let className: String
  public let allocation: [BacktraceEntry]
}

extension LateObject {
  /// Those of a diagnosis, with or without a consequence, among the examined lives.
  public static func all(_ diagnosis: Diagnosis) -> [LateObject] {
    let told = diagnosis.findings.filter { $0.kind == .lateDeallocation }.flatMap { [$0] + $0.alike }
    return (told + diagnosis.late).compactMap { finding in
      guard let row = finding.lifetime?.history.rows.first, row.event.kind == .allocate else { return nil }
      return LateObject(className: finding.object.className, allocation: diagnosis.backtraces.entries(row.backtrace))
    }
  }
}
