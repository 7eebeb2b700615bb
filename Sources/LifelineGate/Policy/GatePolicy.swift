/// Everything that a run is judged by, except for contracts.
public struct GatePolicy: Sendable {
  public var failOn = FailPolicy()
  public var suppressions = SuppressionList()
  /// Nil if there is none; then no finding is known or new.
  public var baseline: Baseline?

  public init() {}

  public enum State: Sendable, Equatable {
    case failing
    /// Its kind does not fail the gate.
    case passing
    case suppressed(reason: String)
    /// In the baseline.
    case known
  }

  /// Suppressions apply before the baseline, and the baseline before the policy.
  public func state(of finding: GateFinding) -> State {
    if let suppression = suppressions.match(finding) { return .suppressed(reason: suppression.reason) }
    if baseline?.contains(finding) == true { return .known }
    return failOn.fails(finding) ? .failing : .passing
  }

  /// The baseline with these findings.
  ///
  /// Suppressed ones are omitted. A known finding that the run could not have shown (`couldShow`) stays.
  public func updatedBaseline(_ findings: [GateFinding], couldShow: (Baseline.Entry) -> Bool) -> Baseline {
    let fresh = Baseline(findings.filter { suppressions.match($0) == nil })
    return fresh.union((baseline ?? Baseline([])).filter { !couldShow($0) })
  }
}
