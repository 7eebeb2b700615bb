/// The numbers of one class over the whole recording.
public struct ClassTotals: Sendable, Equatable {
  public let name: String
  /// Bytes, 0 when unknown.
  public let instanceSize: Int
  public internal(set) var allocated = 0
  public internal(set) var freed = 0
  /// Deinited, but unowned references still keep the memory.
  public internal(set) var kept = 0
  public internal(set) var peakLive = 0
  public internal(set) var retains = 0
  public internal(set) var releases = 0
  /// Events whose recorded count was not the one that follows from the events before.
  public internal(set) var gaps = 0

  /// Objects that were neither deinited nor freed.
  public var liveAtExit: Int { allocated - freed - kept }

  init(name: String, instanceSize: Int) {
    self.name = name
    self.instanceSize = instanceSize
  }
}
