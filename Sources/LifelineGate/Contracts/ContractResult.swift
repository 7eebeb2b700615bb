/// Whether a run kept a contract.
public struct ContractResult: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case kept, broken
    /// The trace cannot tell.
    case unknown
  }

  public let contract: Contract
  public let outcome: Outcome
  /// What was seen.
  public let sentence: String
  /// Whether no object of the class was recorded.
  public let isAbsent: Bool

  init(contract: Contract, outcome: Outcome, sentence: String, isAbsent: Bool = false) {
    self.contract = contract
    self.outcome = outcome
    self.sentence = sentence
    self.isAbsent = isAbsent
  }

  /// No object of the class was seen: a class that was renamed must not make its contract green.
  init(absentFrom contract: Contract) {
    self.init(
      contract: contract, outcome: .unknown,
      sentence: "No object of the class '\(contract.subject.text)' was recorded.",
      isAbsent: true)
  }

  /// One contract's results in several processes: the worst decides; where the class is absent, nothing can be said.
  public init?(worstOf results: [ContractResult]) {
    let worst =
      results.first { $0.outcome == .broken } ?? results.first { $0.outcome == .unknown && !$0.isAbsent }
      ?? results.first { $0.outcome == .kept } ?? results.first
    guard let worst else { return nil }
    self = worst
  }
}
