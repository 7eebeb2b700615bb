/// The totals of one class over the whole recording.
public struct ClassTotals: Sendable, Equatable {
  public let name: String
  /// Bytes, 0 if unknown.
  public let instanceSize: Int
  public let allocated: Int
  /// Objects from before the recording, if they have events.
  public let older: Int
  public let freed: Int
  /// Objects whose deinit had begun but not ended at the end of the recording.
  public let deiniting: Int
  /// Deinited, but unowned references still keep the memory.
  public let kept: Int
  public let peakLive: Int
  public let retains: Int
  public let releases: Int
  /// Events whose recorded count does not follow from the preceding events.
  public let gaps: Int
  /// Objects whose deinit had not begun: allocated + older = freed + kept + deiniting + live.
  public let liveAtExit: Int
  /// Live objects at `LiveCurve.steps` equal steps of the recording; empty when its duration is unknown.
  public let liveOverTime: [Int]

  init(name: String, instanceSize: Int, _ counters: ClassCounters, liveOverTime: [Int] = []) {
    self.liveOverTime = liveOverTime
    self.name = name
    self.instanceSize = instanceSize
    allocated = counters.allocated
    older = counters.older
    freed = counters.freed
    deiniting = counters.deiniting
    kept = counters.kept
    peakLive = counters.peakLive
    retains = counters.retains
    releases = counters.releases
    gaps = counters.gaps
    liveAtExit = counters.liveAtExit
  }
}
