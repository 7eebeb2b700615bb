import LifelineTrace

/// What is known of an object while its events pass by.
public struct TrackedObject: Sendable {
  public let address: UInt64
  /// Index in the tracker's classes, -1 when the allocation was not seen.
  public let classIndex: Int32
  public let number: UInt32
  /// Bytes, 0 when unknown.
  public let size: UInt32
  public let state: ObjectState
  public let allocationSequence: UInt64
  public let allocationClock: UInt64
  public let allocationThread: UInt32
  public let allocation: BacktraceID
  /// Thread that freed it, 0 while it is not freed.
  public let endThread: UInt32
  /// Count that the events so far add up to.
  public let ledger: Int64
  /// Events whose recorded count differed from the ledger: something was not seen or is out of order.
  public let gaps: UInt32

  init(_ entry: ObjectTable.Entry, _ allocation: ObjectTable.Allocation) {
    address = entry.address
    classIndex = entry.classIndex
    number = allocation.number
    size = allocation.size
    state = entry.state
    allocationSequence = allocation.sequence
    allocationClock = allocation.clock
    allocationThread = allocation.thread
    self.allocation = allocation.backtrace
    endThread = entry.endThread
    ledger = entry.ledger
    gaps = allocation.gaps
  }
}
