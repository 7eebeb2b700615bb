/// Everything that a run is held against, the contracts aside.
public struct GatePolicy: Sendable {
  public var failOn = FailPolicy()
  public var suppressions = SuppressionList()
  /// Nil when there is none: then no finding is known or new.
  public var baseline: Baseline?

  private let toolchain: SuppressionList

  /// - Parameter kinds: all kinds of findings that there are.
  public init(kinds: [String]) { toolchain = .toolchain(kinds: kinds) }

  public enum State: Sendable, Equatable {
    case failing
    /// Its kind does not fail the gate.
    case passing
    case suppressed(reason: String)
    /// In the baseline.
    case known
  }

  /// A suppression goes before the baseline, the baseline before the policy.
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
  /// Suppressed ones are left out. When the run was not seen to its end, what did not occur is not fixed and stays.
  public func updatedBaseline(_ findings: [GateFinding], isComplete: Bool) -> Baseline {
    let fresh = Baseline(findings.filter { suppression(of: $0) == nil })
    return isComplete ? fresh : fresh.union(baseline ?? Baseline([]))
  }
}
