/// The gate's verdict on a run; the worst of what was found decides, and a blind recording never passes.
public enum GateVerdict: Sendable, Equatable {
  case findings
  /// The sentence says why there is no verdict.
  case none(String)
  case clean

  /// - Parameter obstacle: why the recording cannot show that the run was clean, or nil if it can.
  public init(failing: Int, contracts: [ContractResult], obstacle: String?) {
    if failing > 0 || contracts.contains(where: { $0.outcome == .broken }) {
      self = .findings
    } else if let obstacle {
      self = .none(obstacle)
    } else if let unknown = contracts.first(where: { $0.outcome == .unknown }) {
      self = .none("The contract \(unknown.contract.text) could not be judged: \(unknown.sentence)")
    } else {
      self = .clean
    }
  }
}
