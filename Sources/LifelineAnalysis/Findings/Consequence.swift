import LifelineLifetimes

/// What came of an object's lateDeallocation: without one it is worth no finding.
public enum Consequence: Sendable {
  /// A method of the object's own that ran, and the first event in it.
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
  /// A deinit defined in the source ran on another executor than its owner's release: its own, or that of an object of
  /// the class given here, which ended with it.
  case elsewhere(Executor, of: String?)
}
