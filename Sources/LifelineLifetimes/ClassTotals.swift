/// The numbers of one class over the whole recording.
public struct ClassTotals: Sendable, Equatable {
  public let name: String
  /// Bytes, 0 when unknown.
  public let instanceSize: Int
  public let allocated: Int
  public let freed: Int
  /// Deinited, but unowned references still keep the memory.
  public let kept: Int
  public let peakLive: Int
  public let retains: Int
  public let releases: Int
  /// Events whose recorded count was not the one that follows from the events before.
  public let gaps: Int
  /// Objects that were neither deinited nor freed.
  public let liveAtExit: Int

  init(name: String, instanceSize: Int, _ counters: ClassCounters) {
    self.name = name
    self.instanceSize = instanceSize
    allocated = counters.allocated
    freed = counters.freed
    kept = counters.kept
    peakLive = counters.peakLive
    retains = counters.retains
    releases = counters.releases
    gaps = counters.gaps
    liveAtExit = counters.liveAtExit
  }
}
