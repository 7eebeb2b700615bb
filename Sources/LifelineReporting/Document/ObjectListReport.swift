import LifelineLifetimes
import LifelineTrace

/// The objects of a recording one by one: what `lifeline objects` prints.
public struct ObjectListReport: Codable, Sendable, Equatable {
  public struct Object: Codable, Sendable, Equatable {
    /// `Class#number`.
    public let object: String
    public let `class`: String
    public let address: String
    /// Bytes, 0 if unknown.
    public let size: Int
    /// live, deiniting, deinited (unowned references keep the memory) or freed.
    public let state: String
    public let retains: Int
    public let releases: Int
    /// Number of its allocation event.
    public let event: UInt64
    /// Nanoseconds from the start of the recording to its allocation.
    public let allocated: UInt64
    /// Nanoseconds from its allocation to the end of its memory, or of the recording; 0 if the events have no times.
    public let age: UInt64
    public let function: String?
    public let file: String?
    public let line: Int?
  }

  /// "lifeline.objects/1".
  public let schema: String
  public let program: String
  /// Number of matching objects; `objects` has the first of them.
  public let count: Int
  public let live: Int
  public let bytes: Int
  public let objects: [Object]

  public init(_ list: ObjectList, _ profile: LifetimeProfile, _ trace: Trace, names: Names) {
    schema = "lifeline.objects/1"
    program = trace.tables.programPath
    count = list.count
    live = list.liveCount
    bytes = list.bytes
    // The process may have run long after its last event.
    let ended = max(profile.lastClock, trace.recording.clockSpan.upperBound)
    objects = list.lives.map { life in
      let name = profile.classes[life.classIndex].name
      let backtrace = names.backtrace(
        profile.backtraces.entries(life.backtrace), role: "allocate", thread: life.thread,
        event: life.allocation.sequence)
      let start = trace.recording.nanoseconds(at: life.allocation.clock)
      let end = trace.recording.nanoseconds(at: life.freed?.clock ?? ended)
      return Object(
        object: ObjectID(className: name, number: life.number).description, class: name,
        address: "0x" + String(life.address, radix: 16), size: life.size, state: "\(life.state)",
        retains: life.retains, releases: life.releases, event: life.allocation.sequence, allocated: start,
        age: max(start, end) - start, function: backtrace.responsible?.function,
        file: backtrace.locatedFrame?.file, line: backtrace.locatedFrame?.line)
    }
  }
}
