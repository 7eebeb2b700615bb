import CLifelineFormat

/// The known facts about everything before the events that a ring keeps (lifeline_ring.h).
public struct BaseLine: Sendable {
  /// An object, as it was at the start of the kept events.
  struct Object: Sendable {
    enum State: UInt32, Sendable {
      case live = 1
      case deinited = 2
      case freed = 3
    }

    var address: UInt64
    /// Event clock of its allocation; 0 if that was not seen.
    var birth: UInt64 = 0
    /// Event clock of the last event included.
    var changed: UInt64
    var classID: UInt32 = 0
    var size: UInt32 = 0
    var thread: UInt32 = 0
    var backtrace: UInt32 = 0
    var endThread: UInt32 = 0
    var endBacktrace: UInt32 = 0
    /// Strong count plus 1; 0 if unknown.
    var count: UInt32 = 0
    var state = State.live
    var number: UInt32 = 0

    /// Whether its class and its allocation are known.
    var isKnown: Bool { birth != 0 && classID != 0 }
  }

  struct Finding: Sendable, Hashable {
    let clock: UInt64
    let object: UInt64
    let arguments: [UInt64]
    let kind: EventKind
    let thread: UInt32
    let backtrace: UInt32
  }

  /// Event clock up to which events are in the base line; later ones are complete.
  public let horizon: UInt64
  /// The number of dropped events.
  public internal(set) var events: UInt64 = 0
  /// Objects that were allocated up to the horizon, by record ID of their class.
  public internal(set) var allocated: [Int: UInt64] = [:]

  var objects: [UInt64: Object] = [:]
  var findings: [Finding] = []
  var backtraces = BacktraceTable()

  init(horizon: UInt64) { self.horizon = horizon }

  /// Removes the objects that were not recorded to the end, and counts only the others.
  mutating func leaveOut(besides filter: SampleFilter) {
    let caught = Set(findings.map(\.object))
    objects = objects.filter { filter.contains($0.key) || caught.contains($0.key) }
    allocated = [:]
    for object in objects.values.filter(\.isKnown).sorted(by: { ($0.birth, $0.number) < ($1.birth, $1.number) }) {
      allocated[Int(object.classID), default: 0] += 1
      objects[object.address]!.number = UInt32(truncatingIfNeeded: allocated[Int(object.classID)]!)
    }
  }

  /// Events by kind that represent the base line (`BaseLineEncoder`).
  public internal(set) var eventCounts = [UInt64](repeating: 0, count: EventKind.limit)
  /// The numbers of the objects with such events, in the order of their allocations.
  var numbers: [UInt32] = []
  /// Allocated objects without such events, by record ID of their class.
  var unseen: [Int: UInt64] = [:]
}
