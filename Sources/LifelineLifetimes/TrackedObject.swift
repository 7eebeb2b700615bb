import LifelineTrace

/// What is known of an object while its events pass by.
public struct TrackedObject: Sendable {
  public let address: UInt64
  /// Index in the tracker's classes, -1 when the allocation was not seen.
  public let classIndex: Int32
  public let number: UInt32
  /// Bytes, 0 when unknown.
  public let size: UInt32
  public internal(set) var state: ObjectState = .live
  public let allocationSequence: UInt64
  public let allocationClock: UInt64
  public let allocationThread: UInt32
  public let allocation: BacktraceID
  /// Thread that freed it, 0 while it is not freed.
  public internal(set) var freeThread: UInt32 = 0
  /// Count that the events so far add up to.
  public internal(set) var ledger: Int64 = 1
  /// Events whose recorded count differed from the ledger: something happened that was not seen.
  public internal(set) var gaps: UInt32 = 0
}
