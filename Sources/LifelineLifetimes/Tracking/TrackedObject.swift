import LifelineTrace

/// The known facts about an object while its events pass by.
public struct TrackedObject: Sendable {
  public let address: UInt64
  /// Index in the tracker's classes, -1 if the allocation was not seen.
  public let classIndex: Int32
  public let number: UInt32
  /// Bytes, 0 if unknown.
  public let size: UInt32
  public let state: ObjectState
  public let allocationSequence: UInt64
  public let allocationClock: UInt64
  public let allocationThread: UInt32
  public let allocation: BacktraceID
  /// Thread that freed it, 0 if it is not freed.
  public let endThread: UInt32
  /// The count according to the events so far.
  public let ledger: Int64
  /// Events whose recorded count differed from the ledger: events are missing or out of order.
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
