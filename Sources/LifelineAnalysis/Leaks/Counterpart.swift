import LifelineLifetimes

/// A freed object that was held like a leaked one, and what released it.
public struct Counterpart: Sendable {
  public let object: ObjectID
  /// Balanced the retain, or the allocation, at the place where the leaked object's reference was taken.
  public let release: HistoryRow
  /// Whether no other release can have balanced it.
  public let isSure: Bool
}
