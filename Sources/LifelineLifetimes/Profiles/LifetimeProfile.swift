import LifelineTrace

/// The counts of a recording, by class and backtrace.
public struct LifetimeProfile: Sendable {
  public struct ClassEntry: Sendable, Equatable {
    public let name: String
    /// Bytes, 0 if unknown.
    public let instanceSize: Int
    /// All objects of the class, including those outside of the span.
    public internal(set) var allocated = 0

    public init(name: String, instanceSize: Int) {
      self.name = name
      self.instanceSize = instanceSize
    }
  }

  /// One class at one backtrace.
  public struct Sample: Sendable {
    /// Index in `classes`.
    public let classIndex: Int
    public let backtrace: BacktraceID
    public internal(set) var cost = ProfileCost()
  }

  /// In order of first appearance; the first is for objects older than the recording, whose class is unknown.
  public internal(set) var classes = [ClassEntry(name: "", instanceSize: 0)]
  public internal(set) var samples: [Sample] = []
  public internal(set) var backtraces = BacktraceTable()
  /// Events of the whole trace.
  public internal(set) var events: UInt64 = 0
  /// Selected events whose callers were dropped because there were too many different backtraces.
  public internal(set) var shortened: UInt64 = 0
  /// The event clock at the last event.
  public internal(set) var lastClock: UInt64 = 0
  /// Sentences about damage in the events.
  public internal(set) var problems: [String] = []

  public var total: ProfileCost { samples.reduce(into: ProfileCost()) { $0 += $1.cost } }

  /// Sums by class, parallel to `classes`.
  public var byClass: [ProfileCost] {
    var sums = [ProfileCost](repeating: ProfileCost(), count: classes.count)
    for sample in samples { sums[sample.classIndex] += sample.cost }
    return sums
  }
}
