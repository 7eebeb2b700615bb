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

  init(contract: Contract, outcome: Outcome, sentence: String) {
    self.contract = contract
    self.outcome = outcome
    self.sentence = sentence
  }

  /// No object of the class was seen: a class that was renamed must not make its contract green.
  init(absentFrom contract: Contract) {
    self.init(contract: contract, outcome: .unknown, sentence: "No object of a class '\(contract.subject.text)' was recorded.")
  }
}
