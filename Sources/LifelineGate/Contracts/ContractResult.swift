/// Whether a run kept a contract.
public struct ContractResult: Sendable, Equatable {
  public enum Outcome: String, Sendable {
    case kept, broken
    /// The trace cannot tell.
    case unknown
  }

  public let contract: Contract
  public let outcome: Outcome
  /// What was observed.
  public let sentence: String
  /// Whether no object of the class was recorded.
  public let isAbsent: Bool

  init(contract: Contract, outcome: Outcome, sentence: String, isAbsent: Bool = false) {
    self.contract = contract
    self.outcome = outcome
    self.sentence = sentence
    self.isAbsent = isAbsent
  }

  /// No object of the class was seen. A contract must not pass because its class was renamed.
  init(absentFrom contract: Contract) {
    self.init(
      contract: contract, outcome: .unknown,
      sentence: "No object of the class '\(contract.subject.text)' was recorded.",
      isAbsent: true)
  }

  /// The results of one contract in several processes: the worst one decides; a process without the class decides
  /// nothing.
  public init?(worstOf results: [ContractResult]) {
    let worst =
      results.first { $0.outcome == .broken } ?? results.first { $0.outcome == .unknown && !$0.isAbsent }
      ?? results.first { $0.outcome == .kept } ?? results.first
    guard let worst else { return nil }
    self = worst
  }
}
