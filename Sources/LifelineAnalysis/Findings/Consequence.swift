import LifelineLifetimes

/// A consequence of an object's late deallocation; without one it is not worth a finding.
public enum Consequence: Sendable {
  /// One of the object's own methods that ran, and the first event in it.
  public struct Work: Sendable {
    public let function: String
    public let row: HistoryRow
  }

  /// It sent a message to a freed object.
  case harm
  /// It was used by code that had no claim on it.
  case nearMiss
  /// Its own methods ran after its last owner had released it.
  case work([Work])
  /// A handwritten deinit ran on another executor than its owner's release: the object's own, or that of an object of
  /// the class given here, which ended with it.
  case elsewhere(Executor, of: String?)
}
