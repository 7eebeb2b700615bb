/// Everything that a run is judged by, except for contracts.
public struct GatePolicy: Sendable {
  public var failOn = FailPolicy()
  public var suppressions = SuppressionList()
  /// Nil if there is none; then no finding is known or new.
  public var baseline: Baseline?

  private let toolchain: SuppressionList

  /// - Parameter kinds: all kinds of findings.
  public init(kinds: [String]) { toolchain = .toolchain(kinds: kinds) }

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
    if let suppression = suppression(of: finding) { return .suppressed(reason: suppression.reason) }
    if baseline?.contains(finding) == true { return .known }
    return failOn.fails(finding) ? .failing : .passing
  }

  private func suppression(of finding: GateFinding) -> Suppression? {
    suppressions.match(finding) ?? toolchain.match(finding)
  }

  /// The baseline with these findings.
  ///
  /// Suppressed ones are omitted. If the run was not seen to its end, a finding that did not occur is not considered
  /// fixed and stays.
  public func updatedBaseline(_ findings: [GateFinding], isComplete: Bool) -> Baseline {
    let fresh = Baseline(findings.filter { suppression(of: $0) == nil })
    return isComplete ? fresh : fresh.union(baseline ?? Baseline([]))
  }
}
