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
}
