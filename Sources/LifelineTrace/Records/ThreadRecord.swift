/// A thread that recorded at least one event.
public struct ThreadRecord: Sendable, Equatable {
  /// Number in order of first appearance, from 1.
  public let number: Int
  public let kernelID: Int
  public internal(set) var name: String
  public let began: UInt64
  public internal(set) var ended: UInt64?
}
